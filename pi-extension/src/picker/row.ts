// One session as the picker shows it: a hit of a search, a session of the list, or one that waits.

import type { Hit, Session, UnreadSession } from 'lookback-node';
import { plain, plainWithRanges, type Range } from '../text/terminal-text.ts';

/** Everything in it is harmless text of one line, but for ids and paths, which are not shown as they are. */
export interface Row {
  session: string;
  path: string;
  title: string;
  /** The folder of the session, as it is written in its header. */
  cwd: string;
  /** The last activity; of a hit, the time of its message. */
  time: Date | undefined;
  messages: number;
  tags: string[];
  /** The message that matched. */
  hit?: {
    entry: string;
    role: string;
    branch: 'active' | 'compacted' | 'abandoned';
  };
  /** Text of the session: around the match, or what waits for an answer. */
  text?: { text: string; ranges: Range[] };
  /** How many other sessions hold the same message. */
  copies: number;
}

export function rowOfHit({ session, entry, snippet, alsoIn }: Hit): Row {
  const { text, ranges } = plainWithRanges(snippet.text, snippet.highlights);
  const before = snippet.cutBefore ? '…' : '';
  const shifted = ranges.map(({ start, end }) => ({ start: start + before.length, end: end + before.length }));
  return {
    ...rowOfSession(session),
    time: entry.timestamp ?? session.modified,
    hit: { entry: entry.id, role: plain(entry.role), branch: entry.branch },
    // Empty where the file changed under the index; then its end is shown, as for rows of the list.
    ...(text ? { text: { text: `${before}${text}${snippet.cutAfter ? '…' : ''}`, ranges: shifted } } : {}),
    copies: alsoIn.length,
  };
}

export function rowOfSession(session: Session): Row {
  return {
    session: session.id,
    path: session.path,
    title: titled(session.title),
    cwd: plain(session.cwd),
    time: session.modified,
    messages: session.messageCount,
    tags: session.tags.map(plain),
    copies: 0,
  };
}

export function rowOfUnread(session: UnreadSession): Row {
  return {
    session: session.id,
    path: session.path,
    title: titled(session.name),
    cwd: plain(session.cwd),
    time: session.modified,
    messages: session.messageCount,
    tags: [],
    text: { text: plain(session.message), ranges: [] },
    copies: 0,
  };
}

/** Without a name, the title is the first message, whatever its length. */
const titled = (text: string): string => plain(text.slice(0, 500)) || '(no title)';

// All past sessions as a source for the picker.

import type { AnswerSource, Lookback, SearchReply } from 'lookback-node';
import type { Config } from '../config/settings.ts';
import { pageOfSessions } from '../engine/listing.ts';
import { plain } from '../text/terminal-text.ts';
import { PAGE, type Question, type Source } from './asking.ts';
import { type Row, rowOfHit, rowOfSession } from './row.ts';
import type { Found, State } from './state.ts';

type Settings = Pick<Config, 'engine' | 'ranking'>;

/** Sessions by what was said in them; without a query the latest ones. */
export function history(lookback: Lookback, cwd: string, { engine, ranking }: Settings): Source {
  const find = async ({ query, scope, offset, signal }: Question): Promise<Found> => {
    // The index is brought up to date beside the typing, by `refresh`.
    const page = { limit: PAGE, offset, sync: false, signal };
    if (!query.trim()) {
      const reply = await pageOfSessions(lookback, engine, { ...page, ...(scope === 'current' ? { cwd } : {}) });
      return {
        rows: reply.sessions.map(rowOfSession),
        corpus: reply.total,
        matched: reply.total,
        notes: ofSource(reply.source),
        ...(reply.nextOffset === undefined ? {} : { nextOffset: reply.nextOffset }),
      };
    }
    const reply = await lookback.search(query, {
      ...page,
      engine,
      policy: ranking,
      typing: true,
      scope: { currentCwd: cwd, ...(scope === 'current' ? { cwd } : {}) },
    });
    return {
      rows: reply.hits.map(rowOfHit),
      corpus: reply.sessionsSearched,
      matched: reply.sessionsMatched,
      notes: notesOf(reply),
      ...(reply.nextOffset === undefined ? {} : { nextOffset: reply.nextOffset }),
    };
  };
  const preview: Source['preview'] = (row, signal) => lastWords(lookback, row, signal);
  // A scan sees every file as it is, and leaves nothing behind.
  if (engine === 'scan') return { find, preview };
  return {
    find,
    preview,
    refresh: async (progress, signal) => {
      const report = await lookback.sync({
        signal,
        onProgress: ({ filesDone, filesTotal }) => progress({ done: filesDone, total: filesTotal }),
      });
      return report.state === 'updated';
    },
  };
}

/** What a person should know of an answer. */
export function notesOf({ relaxed, warnings, source }: SearchReply): string[] {
  const words = relaxed.map(({ word, terms }) => {
    const instead = terms.slice(0, 3).map(plain).join(', ');
    return `“${plain(word)}” was not found as written${instead ? `; searched ${instead}` : ''}`;
  });
  return [...words, ...warnings.map(({ message }) => plain(message)), ...ofSource(source)];
}

function ofSource({ state, message }: AnswerSource): string[] {
  switch (state) {
    case 'busy':
      return ['another Pi is writing the index; this is what it held before'];
    case 'failed':
      return [`new sessions could not be read${message ? `: ${plain(message)}` : ''}`];
    default:
      return [];
  }
}

/** How a session ended: its last messages. */
async function lastWords(lookback: Lookback, row: Row, signal: AbortSignal): Promise<string> {
  const { messages } = await lookback.read(row.path, { head: 0, tail: 2, characters: 1_000, signal });
  return messages.map(({ role, text }) => `${plain(role)}: ${plain(text)}`).join('  ');
}

/** What to say where nothing is found. */
export function nothing({ query, scope }: Pick<State, 'query' | 'scope'>): string {
  if (scope === 'current') return query ? 'Nothing found in this folder.' : 'No sessions in this folder.';
  return query ? 'Nothing found. Fewer or other words find more; /recall help shows how to ask.' : 'No sessions yet.';
}

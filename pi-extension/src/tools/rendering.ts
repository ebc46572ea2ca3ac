// How calls of the tools and their answers look in the transcript: one line each, the whole answer when expanded.

import type { AgentToolResult, Theme, ToolRenderResultOptions } from '@earendil-works/pi-coding-agent';
import { type Component, Text } from '@earendil-works/pi-tui';
import { counted } from '../text/moments.ts';
import { plain } from '../text/terminal-text.ts';
import type { Details } from './call.ts';

type Colors = Pick<Theme, 'fg' | 'bold'>;

/** `Recall search "retry backoff" in this folder`. Arguments may be half written while the model writes them. */
export function callLine(label: string, args: Record<string, unknown> | undefined, theme: Colors): string {
  const { action, query, session, sessionId, entry, aroundMessageId, path, scope } = args ?? {};
  const words = [theme.fg('toolTitle', theme.bold(label))];
  const add = (value: unknown, dressed: (text: string) => string): void => {
    if (typeof value === 'string' && value) words.push(dressed(short(value)));
  };
  add(action, (text) => text);
  add(query, (text) => theme.fg('accent', `"${text}"`));
  add(session ?? sessionId ?? path, (text) => theme.fg('muted', text));
  add(entry ?? aroundMessageId, (text) => theme.fg('muted', `[${text}]`));
  if (scope === 'current') words.push(theme.fg('muted', 'in this folder'));
  return words.join(' ');
}

/** What came of it, in one line. */
export function resultLine(details: Details | undefined, theme: Colors): string {
  const { mode, returned = 0, total = 0, nextOffset, contentTruncated, redacted = 0, syncWarning } = details ?? {};
  const found: Record<string, string> = {
    search: returned ? `${counted(returned, 'hit')} of ${counted(total, 'matching session')}` : 'nothing found',
    discovery: returned ? `${returned} of ${counted(total, 'matching session')}` : 'nothing found',
    list: `${returned} of ${counted(total, 'session')}`,
    browse: `${returned} of ${counted(total, 'session')}`,
    unread: total ? `${returned} of ${counted(total, 'waiting session')}` : 'nothing waits',
  };
  const parts = [mode && Object.hasOwn(found, mode) ? found[mode] : `${returned} of ${counted(total, 'message')}`];
  if (nextOffset !== undefined) parts.push('more to come');
  if (contentTruncated) parts.push('cut to its budget');
  if (redacted) parts.push(`${counted(redacted, 'secret')} replaced`);
  const line = theme.fg('muted', parts.join(' · '));
  return syncWarning ? `${line} ${theme.fg('warning', `(${STALE[syncWarning.kind] ?? 'may be out of date'})`)}` : line;
}

const STALE: Record<string, string> = {
  'incomplete-walk': 'not every session folder could be read',
  'sync-failed': 'the index could not be brought up to date',
  busy: 'another Pi is writing the index',
};

export function drawCall(label: string, args: Record<string, unknown>, theme: Theme): Component {
  return new Text(callLine(label, args, theme), 0, 0);
}

export function drawResult(
  result: AgentToolResult<Details>,
  { expanded, isPartial }: ToolRenderResultOptions,
  theme: Theme,
  context: { isError?: boolean },
): Component {
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  if (isPartial || context.isError) {
    return new Text(theme.fg(isPartial ? 'muted' : 'error', lines(text).join('\n')), 0, 0);
  }
  const line = resultLine(result.details, theme);
  if (!expanded) return new Text(line, 0, 0);
  return new Text([line, ...lines(text).map((row) => theme.fg('toolOutput', row))].join('\n'), 0, 0);
}

/** The engine's texts are harmless; what another extension made of them may not be. */
const lines = (text: string): string[] => text.split('\n').map(plain);

function short(text: string): string {
  const line = plain(text);
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

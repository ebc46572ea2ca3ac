import { homedir } from 'node:os';
import type { Status } from 'lookback-node';
import { configPath } from '../config/file.ts';
import { placeOf } from '../engine/place.ts';
import { counted, shortFolder } from '../text/moments.ts';
import { plain } from '../text/terminal-text.ts';
import { speak } from '../text/speak.ts';
import type { Command } from './command.ts';

/** `/recall status`. */
export async function status({ engine, ctx }: Command): Promise<void> {
  const lookback = await engine.open(placeOf(ctx));
  const { warnings, agentDir } = lookback.locations;
  const lines = [...described(await lookback.status()), ['settings', short(configPath(agentDir))] as const];
  const width = Math.max(...lines.map(([name]) => name.length));
  const told = lines.map(([name, text]) => `${name.padEnd(width)}  ${text}`);
  speak(ctx, [...told, ...warnings.map(plain)].join('\n'));
}

function described(found: Status): (readonly [string, string])[] {
  const { index } = found;
  const states: Record<typeof index.state, string> = {
    missing: 'not there yet; the first search builds it',
    ready: 'ready',
    partial: 'its first build was interrupted; the next search goes on',
    damaged: 'damaged; the next search builds it anew',
    outdated: 'of another version; the next search builds it anew',
  };
  const missing = found.missingRoots.length ? `, not there: ${found.missingRoots.map(short).join(', ')}` : '';
  return [
    ['sessions', `${counted(found.files, 'file')}, ${size(found.bytes)}, in ${found.roots.map(short).join(', ')}${missing}`],
    ...(found.skipped ? [['passed over', counted(found.skipped, 'file or folder')] as const] : []),
    ...(found.complete ? [] : [['warning', 'not every session folder could be read to its end'] as const]),
    ['index', `${states[index.state]}: ${counted(index.sessions, 'session')}, ${counted(index.turns, 'turn')}, ${size(index.indexBytes)}`],
    ...(index.damagedLines ? [['damaged', counted(index.damagedLines, 'line')] as const] : []),
    ['index folder', short(index.folder)],
    ['tags', `${counted(found.taggedSessions, 'tagged session')}, in ${short(found.tagsFile)}`],
    ...found.notices.map((notice) => ['note', plain(notice)] as const),
  ];
}

const short = (path: string): string => shortFolder(plain(path), homedir());

function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

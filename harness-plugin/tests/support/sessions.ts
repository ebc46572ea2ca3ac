// Folders of session files, made in code.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.on('exit', () => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A new folder that is gone when the tests are over. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'lookback-harness-'));
  made.push(path);
  return path;
}

/** The workspace of all sessions that say nothing else. */
export const WORKSPACE = '/home/dev/app';

/** A moment so many seconds after the oldest session. */
export const at = (seconds: number): Date => new Date(Date.UTC(2026, 2, 2, 9) + seconds * 1000);

export interface Plan {
  id: string;
  cwd?: string;
  name?: string;
  /** Messages from the first to the last, `[role, content]`. */
  said?: [role: string, content: unknown][];
  /** When the file was written, in seconds after the oldest session. */
  written?: number;
  /** The name of the file. */
  file?: string;
}

/** A session as the lines of its file. */
export function lines({ id, cwd = WORKSPACE, name, said = [['user', `Question of ${id}`]] }: Plan): string {
  const entries: object[] = [{ type: 'session', version: 3, id, timestamp: at(0).toISOString(), cwd }];
  said.forEach(([role, content], index) => {
    // Of its own session: entries that two sessions share would make a fork of one of them.
    const entry = (index: number): string => `${id}.${index}`;
    const parentId = index ? entry(index - 1) : null;
    entries.push({ type: 'message', id: entry(index), parentId, timestamp: at(index).toISOString(), message: { role, content } });
  });
  if (name !== undefined) entries.push({ type: 'session_info', id: 'n', parentId: null, timestamp: at(0).toISOString(), name });
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

/** Writes a file into the folder, as it was at that time, and gives back its path. */
export function write(directory: string, file: string, content: string | Uint8Array, written = 0): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, file);
  writeFileSync(path, content);
  utimesSync(path, at(written), at(written));
  return path;
}

/** Writes a session. */
export function session(directory: string, plan: Plan): string {
  return write(directory, plan.file ?? `${plan.id}.jsonl`, lines(plan), plan.written);
}

/** Writes so many waiting sessions, the first one the newest. */
export function waiting(directory: string, count: number, plan: (index: number) => Partial<Plan> = () => ({})): void {
  for (let index = 0; index < count; index++) {
    const id = `s${String(index).padStart(4, '0')}`;
    session(directory, { id, written: count - index, ...plan(index) });
  }
}

/** So many large files, which take a while to read. */
export function large(directory: string, count = 8): void {
  waiting(directory, count, () => ({ said: [['user', 'x'.repeat(4_000_000)]] }));
}

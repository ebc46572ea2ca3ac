// Session files as Pi writes them, made in code.

import { createHash } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One message; `after` is the id of the entry it continues, the one before it by default. */
export interface Said {
  id?: string;
  after?: string | null;
  user?: string;
  assistant?: string;
}

export interface SessionPlan {
  id: string;
  cwd: string;
  /** When it began. Each message comes a minute later. */
  at?: Date;
  name?: string;
  said: Said[];
  parentSession?: string;
}

/** Pi's folder for the sessions of a working folder. */
export const folderOf = (cwd: string): string => `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`;

/** An id of an entry: eight hex digits, the same at every run. */
const made = (session: string, index: number): string =>
  createHash('sha256').update(`${session} ${index}`).digest('hex').slice(0, 8);

/** Writes a session and gives back its path. The working folder is made as well. */
export function writeSession(sessions: string, plan: SessionPlan, { flat = false } = {}): string {
  const { id, cwd, at = new Date('2026-03-02T09:00:00Z'), name, said, parentSession } = plan;
  const time = (minutes: number): Date => new Date(at.getTime() + minutes * 60_000);
  const header = { type: 'session', version: 3, id, timestamp: at.toISOString(), cwd, ...(parentSession ? { parentSession } : {}) };
  const lines: object[] = [header];
  let before: string | null = null;
  said.forEach((message, index) => {
    const entry = message.id ?? made(id, index);
    const parentId: string | null = message.after === undefined ? before : message.after;
    const when = time(index + 1);
    const content = [{ type: 'text', text: message.user ?? message.assistant ?? '' }];
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
    lines.push({
      type: 'message',
      id: entry,
      parentId,
      timestamp: when.toISOString(),
      message:
        message.user === undefined
          ? { role: 'assistant', content, api: 'script-api', provider: 'script', model: 'one', usage, stopReason: 'stop', timestamp: when.getTime() }
          : { role: 'user', content, timestamp: when.getTime() },
    });
    before = entry;
  });
  if (name) lines.push({ type: 'session_info', id: made(id, -1), parentId: before, timestamp: time(said.length + 1).toISOString(), name });
  const folder = flat ? sessions : join(sessions, folderOf(cwd));
  mkdirSync(folder, { recursive: true });
  mkdirSync(cwd, { recursive: true });
  const path = join(folder, `${at.toISOString().replace(/[:.]/g, '-')}_${id}.jsonl`);
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  utimesSync(path, time(said.length), time(said.length));
  return path;
}

// What the tests share.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const require = createRequire(import.meta.url);
export const PACKAGE = path.dirname(import.meta.dirname);

// The build with what only tests may call; processes and threads that the tests start inherit it.
const { name } = require('../loader.js').platform();
process.env.NAPI_RS_NATIVE_LIBRARY_PATH = path.join(PACKAGE, `tests/addon/lookback-node.${name}.node`);

/** The package as its users get it. */
export const { Lookback, locate, parseGeneratedTags, toolDefinitions } = require('../index.js');
/** The compiled part, with what only tests may call. */
export const native = require('../loader.js').load();

export const CASES = path.join(PACKAGE, '../../tests/data/cases');

const made = [];
process.on('exit', () => made.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

/** A new folder that is gone when the tests are over. */
export function folder() {
  const made_ = fs.mkdtempSync(path.join(os.tmpdir(), 'lookback-node-'));
  made.push(made_);
  return made_;
}

/** Opens session folders with index and tags of their own; by default none at all. */
export async function open(options = {}) {
  const home = folder();
  return Lookback.open({
    sessions: [path.join(home, 'sessions')],
    cache: path.join(home, 'cache'),
    data: path.join(home, 'data'),
    home,
    cwd: home,
    env: {},
    ...options,
  });
}

/** Opens the sessions of a case. */
export const openCase = (name, options) => open({ sessions: [path.join(CASES, name, 'sessions')], ...options });

/** The error that a promise is rejected with. */
export async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was not rejected');
}

/** Writes a session of these messages, user and assistant in turn. */
export function writeSession(root, number, messages) {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const time = (minute) => new Date(Date.UTC(2026, 2, 1, 0, number, minute)).toISOString();
  const lines = [
    { type: 'session', version: 3, id, timestamp: time(0), cwd: '/home/dev/app' },
    ...messages.map((text, at) => ({
      type: 'message',
      id: `e${String(at).padStart(7, '0')}`,
      parentId: at === 0 ? null : `e${String(at - 1).padStart(7, '0')}`,
      timestamp: time(at + 1),
      message:
        at % 2 === 0
          ? { role: 'user', content: text, timestamp: Date.parse(time(at + 1)) }
          : { role: 'assistant', content: [{ type: 'text', text }], timestamp: Date.parse(time(at + 1)) },
    })),
  ];
  const where = path.join(root, '--home-dev-app--');
  fs.mkdirSync(where, { recursive: true });
  const file = path.join(where, `${time(0).replace(/[:.]/g, '-')}_${id}.jsonl`);
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { id, file };
}

/** Many sessions: reading them takes a while. */
export function writeMany(count = 300, kilobytes = 40) {
  const root = folder();
  const words = Array.from({ length: 4000 }, (_, at) => `word${(at * 7919) % 4001}`);
  for (let number = 0; number < count; number += 1) {
    const text = (from) => words.slice(from, from + 128).join(' ');
    const messages = Array.from({ length: kilobytes }, (_, at) => text((number * 31 + at * 97) % 3800));
    writeSession(root, number, messages);
  }
  return root;
}

/** Runs a program of JavaScript in a process of its own. */
export function run(source, { runtime = process.execPath, flags = [], args = [], env = {} } = {}) {
  const file = path.join(folder(), 'program.cjs');
  const index = JSON.stringify(path.join(PACKAGE, 'index.js'));
  const loader = JSON.stringify(path.join(PACKAGE, 'loader.js'));
  fs.writeFileSync(file, `const INDEX = ${index}; const LOADER = ${loader};\n(async () => {\n${source}\n})();\n`);
  const ended = spawnSync(runtime, [...flags, file, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 100_000,
  });
  return { code: ended.status, signal: ended.signal, out: ended.stdout, err: ended.stderr };
}

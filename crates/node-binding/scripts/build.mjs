// Builds the add-on, puts it beside index.js, and writes index.d.ts from what the macros of napi say.
//
//   node scripts/build.mjs [--release] [--test-hooks] [--types FILE]
//
// --test-hooks  with functions that the tests need
// --types FILE  where to write the types, in place of index.d.ts

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { types } from './types.mjs';

const CRATE = 'lookback-node-binding';
const here = path.dirname(import.meta.dirname);
const { platform } = createRequire(import.meta.url)('../loader.js');
const { values: options } = parseArgs({
  options: {
    release: { type: 'boolean' },
    'test-hooks': { type: 'boolean' },
    types: { type: 'string', default: path.join(here, 'index.d.ts') },
  },
});

function cargo(arguments_, environment = {}) {
  const run = spawnSync('cargo', arguments_, {
    cwd: here,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 30,
  });
  if (run.error) throw run.error;
  if (run.status !== 0) process.exit(run.status ?? 1);
  return run.stdout;
}

const { target_directory: target } = JSON.parse(
  cargo(['metadata', '--no-deps', '--format-version', '1', '--locked', '--offline']),
);
// One folder for each kind of build, which the compiler fills anew whenever it compiles.
const kind = [options.release ? 'release' : 'debug', options['test-hooks'] ? 'hooks' : 'plain'].join('-');
const definitions = path.join(target, 'napi', kind);
fs.mkdirSync(definitions, { recursive: true });
const missing = !fs.existsSync(path.join(definitions, CRATE));
const messages = cargo(
  [
    'build', '--package', CRATE, '--lib', '--locked', '--message-format', 'json-render-diagnostics',
    ...(options.release ? ['--release'] : []),
    ...(options['test-hooks'] ? ['--features', 'test-hooks'] : []),
  ],
  {
    NAPI_TYPE_DEF_TMP_FOLDER: definitions,
    // napi's name for: compile, whatever cargo thinks.
    ...(missing ? { NAPI_FORCE_BUILD_LOOKBACK_NODE_BINDING: String(Date.now()) } : {}),
  },
);
const artifact = messages
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .filter((message) => message.reason === 'compiler-artifact' && message.target.kind.includes('cdylib'))
  .flatMap((message) => message.filenames)
  .find((file) => /\.(so|dylib|dll)$/.test(file));
if (!artifact) throw new Error('cargo built no library');

const { name, refused } = platform();
if (refused) throw new Error(refused);
const addon = path.join(here, `lookback-node.${name}.node`);
// A new file in place of the old one: a process may have the old one loaded.
fs.copyFileSync(artifact, `${addon}.new`);
fs.renameSync(`${addon}.new`, addon);
fs.writeFileSync(options.types, types(fs.readFileSync(path.join(definitions, CRATE), 'utf8')));

// Builds the add-on, puts it beside index.js, and writes index.d.ts from what the macros of napi say.
//
//   node scripts/build.mjs [--release] [--for-tests]
//
// --for-tests  with functions that the tests need, in a folder of its own; index.d.ts is compared, not written

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
    'for-tests': { type: 'boolean' },
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
const kind = [options.release ? 'release' : 'debug', options['for-tests'] ? 'hooks' : 'plain'].join('-');
const definitions = path.join(target, 'napi', kind);
fs.mkdirSync(definitions, { recursive: true });
const missing = !fs.existsSync(path.join(definitions, CRATE));
const messages = cargo(
  [
    'build', '--package', CRATE, '--lib', '--locked', '--message-format', 'json-render-diagnostics',
    ...(options.release ? ['--release'] : []),
    ...(options['for-tests'] ? ['--features', 'test-hooks'] : []),
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
const folder = options['for-tests'] ? path.join(here, 'tests/addon') : here;
const addon = path.join(folder, `lookback-node.${name}.node`);
fs.mkdirSync(folder, { recursive: true });
// A new file in place of the old one: a process may have the old one loaded.
fs.copyFileSync(artifact, `${addon}.new`);
fs.renameSync(`${addon}.new`, addon);

const declarations = path.join(here, 'index.d.ts');
const written = types(fs.readFileSync(path.join(definitions, CRATE), 'utf8'));
if (!options['for-tests']) {
  fs.writeFileSync(declarations, written);
} else if (fs.readFileSync(declarations, 'utf8') !== written) {
  console.error('index.d.ts is not what the sources say. Run `npm run build` in crates/node-binding and commit it.');
  process.exit(1);
}

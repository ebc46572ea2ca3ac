// The same program in every runtime that the package is for.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { CASES, PACKAGE, folder } from './support.mjs';

const windows = process.platform === 'win32';
const modules = path.join(PACKAGE, 'node_modules');
const runtimes = {
  'Node 20': path.join(modules, 'node20/bin/node'),
  'Node 22': path.join(modules, 'node22/bin/node'),
  'Node 24': path.join(modules, 'node24/bin/node'),
  Bun: path.join(modules, `.bin/bun${windows ? '.exe' : ''}`),
};
const sessions = (name) => path.join(CASES, name, 'sessions');

for (const [name, program] of Object.entries(runtimes)) {
  test(`the add-on works in ${name}`, () => {
    const version = spawnSync(program, ['--version'], { encoding: 'utf8' });
    assert.equal(version.status, 0, `${program} is missing: npm ci`);
    if (name !== 'Bun') assert.equal(version.stdout.split('.')[0], `v${name.slice(5)}`);
    const { status, signal, stdout, stderr } = spawnSync(
      program,
      [path.join(PACKAGE, 'tests/smoke.cjs'), sessions('16-unicode-words'), folder(), sessions('12-abandoned-branch')],
      { encoding: 'utf8', timeout: 60_000 },
    );
    assert.deepEqual([status, signal, stdout.trim()], [0, null, 'all is well'], stderr);
    assert.equal(stderr, '');
  });
}

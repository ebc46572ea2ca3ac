// What README.md and docs/node.md say.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Lookback, PACKAGE, folder } from './support.mjs';

const root = path.join(PACKAGE, '../..');
const page = fs.readFileSync(path.join(root, 'docs/node.md'), 'utf8');
const readme = fs.readFileSync(path.join(PACKAGE, 'README.md'), 'utf8');

test('the example of the README runs', () => {
  const [, example] = /```js\n([\s\S]*?)```/.exec(readme);
  const agent = folder();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', example], {
    cwd: PACKAGE,
    encoding: 'utf8',
    env: { ...process.env, PI_CODING_AGENT_DIR: agent, PI_CODING_AGENT_SESSION_DIR: path.join(root, 'examples/sessions') },
  });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /\d+ sessions match/);
  assert.match(stdout, /Lost updates/i);
  assert.match(stdout, /^(user|assistant): /m);
  assert.ok(example.trim().split('\n').length <= 13);
});

test('links of both pages lead somewhere', () => {
  for (const [text, from] of [[page, path.join(root, 'docs')], [readme, PACKAGE]]) {
    for (const [, link] of text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      assert.ok(fs.existsSync(path.join(from, link)), link);
    }
  }
});

test('every error code is in the table, and the table has no others', () => {
  const [, table] = /\| code \| when \|\n\|---\|---\|\n([\s\S]*?)\n\n/.exec(page);
  const told = table.split('\n').flatMap((row) => [...row.split('|')[1].matchAll(/`([^`]+)`/g)].map(([, code]) => code));
  assert.deepEqual(told, [...new Set(told)]);
  const sources = ['index', 'lookback', 'scan', 'session-model', 'tags', 'unread'].map((crate) => `../${crate}/src/error.rs`);
  const codes = new Set(['native-missing']);
  for (const source of [...sources, '../lookback/src/tools/error.rs', 'src/failure.rs']) {
    const text = fs.readFileSync(path.join(PACKAGE, source), 'utf8');
    const [, body] = /fn code\(&self\) -> &'static str \{([\s\S]*?)\n {4}\}/.exec(text);
    for (const [, code] of body.matchAll(/=> "([^"]+)"/g)) codes.add(code);
  }
  assert.deepEqual(told.sort(), [...codes].sort());
});

test('every method is in the table of calls', () => {
  for (const name of Object.getOwnPropertyNames(Lookback.prototype)) {
    if (!['constructor', 'locations', 'closed'].includes(name)) assert.match(page, new RegExp(`\`${name}[(\`]`), name);
  }
});

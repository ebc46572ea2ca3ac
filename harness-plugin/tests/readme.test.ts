// What README.md says.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Config } from '../src/index.ts';
import { SCHEMA } from '../src/tools/parameters.ts';
import { Harness } from './support/harness.ts';
import { session } from './support/sessions.ts';

const PACKAGE = join(import.meta.dirname, '..');
const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');

test('the script for trying it runs', () => {
  const [, script] = /```js\n([\s\S]*?)```/.exec(readme)!;
  assert.ok(script!.trim().split('\n').length <= 20);
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', script!], { cwd: PACKAGE, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const [page, status] = run.stdout.split('\n');
  assert.equal(JSON.parse(page!).total, 1);
  assert.match(status!, /completed/);
});

/** The names in a value, all the way down. */
function names(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => names(item, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, inner]) => names(inner, `${at}.${name}`));
}

test('page and panel are documented as they are', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 's1' });
  const { details } = await (await harness.settled()).call();
  const [page, panel] = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text!));
  assert.deepEqual(names(page), names(details));
  assert.deepEqual(names(panel), names({ ...harness.read(), items: [] }));
  assert.deepEqual(panel.limits, harness.read().limits);
  const unread = readFileSync(join(PACKAGE, '../docs/unread.md'), 'utf8');
  assert.deepEqual(JSON.parse(/```json\n([\s\S]*?)```/.exec(unread)![1]!), page, 'as in docs/unread.md');
});

test('every setting and every parameter has its row', () => {
  for (const name of [...Object.keys(Config.dict!), ...Object.keys(SCHEMA.properties)]) assert.match(readme, new RegExp(`^\\| \`${name}\` \\|`, 'm'));
});

test('links lead somewhere', () => {
  for (const [, link] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) assert.ok(existsSync(join(PACKAGE, link!)), link);
});

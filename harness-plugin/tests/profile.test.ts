// Profiles, as a harness starts from them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import Loader from '@deepseek-ai/cordis-plugin-loader';
import { Harness } from './support/harness.ts';
import { folder, session, waiting } from './support/sessions.ts';

const PACKAGE = join(import.meta.dirname, '..');

/** Starts a harness from a profile. */
async function started(profile: string): Promise<Harness> {
  const harness = new Harness();
  waiting(harness.directory, 3);
  const home = folder();
  writeFileSync(join(home, 'cordis.yml'), profile);
  harness.context.baseUrl = pathToFileURL(`${home}/`).href;
  await harness.context.plugin(Loader);
  const loader = harness.context.get('loader')!;
  await loader.create({ name: '@deepseek-ai/cordis-plugin-include', config: { path: './cordis.yml' } });
  await loader.await();
  return harness;
}

const NAME = pathToFileURL(join(PACKAGE, 'src/index.ts')).href;

test('three lines of a profile enable the plugin', async () => {
  const harness = await started(`- id: recall-unread\n  name: ${NAME}\n  config: {}\n`);
  await harness.until(({ status }) => status.state === 'completed');
  assert.equal((await harness.call()).details.total, 3);
  assert.equal(harness.read().limits.sessions, 100);
  const loader = harness.context.get('loader')!;
  const entry = [...loader.entries()].find(({ options }) => options.id === 'recall-unread')!;
  // Cordis takes an id here that is no path. Nobody can wait for the removal.
  entry.parent.remove('recall-unread');
  for (let time = 0; harness.tools.items.size && time < 1000; time++) await later(2);
  assert.equal(harness.tools.items.size + harness.panels.items.size, 0);
});

test('settings of a profile are read, also those that are no number', async () => {
  const harness = await started(`- id: recall-unread\n  name: ${NAME}\n  config:\n    maxSessions: 2\n`);
  await harness.until(({ status }) => status.state === 'completed');
  assert.deepEqual([harness.read().limits.sessions, harness.read().total], [2, 2]);
  const endless = await started(`- id: recall-unread\n  name: ${NAME}\n  config:\n    maxSessions: .inf\n`);
  assert.equal(endless.read().limits.sessions, 100);
});

test('a profile with an unknown setting starts without the plugin', async () => {
  const harness = await started(`- id: recall-unread\n  name: ${NAME}\n  config:\n    maximum: 2\n`);
  assert.equal(harness.tools.items.size + harness.panels.items.size, 0);
});

/** A program beside a profile, in a project that has the package installed as it is published. */
const PROGRAM = `
import { Context } from '@deepseek-ai/cordis';
import Loader from '@deepseek-ai/cordis-plugin-loader';

const [sessions] = process.argv.slice(2);
const manager = { getSessionDir: () => sessions, getSessionId: () => 'now', getSessionFile: () => undefined, getCwd: () => '/home/dev/app' };
const context = new Context();
let tool;
context.provide('piHarnessLaunch', {});
context.provide('piSession', { manager });
context.provide('piTools', { register: (one) => ((tool = one), () => {}) });
context.provide('piPluginUi', { register: () => () => {} });
context.baseUrl = import.meta.url;
await context.plugin(Loader);
await context.loader.create({ name: '@deepseek-ai/cordis-plugin-include', config: { path: './cordis.yml' } });
await context.loader.await();
console.log((await tool.execute('1', {})).content[0].text);
`;

test('the published package works by its name', () => {
  const project = folder();
  const modules = join(project, 'node_modules');
  const made = spawnSync(process.execPath, [join(PACKAGE, 'scripts/package.ts'), join(modules, 'pi-harness-plugin-lookback')], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stdout + made.stderr);
  const manifest = JSON.parse(readFileSync(join(modules, 'pi-harness-plugin-lookback/package.json'), 'utf8'));
  assert.match(manifest.dependencies['lookback-node'], /^\d+\.\d+\.\d+/);
  assert.deepEqual(Object.keys(manifest.peerDependencies), ['@deepseek-ai/cordis', '@deepseek-ai/schemastery']);
  for (const name of ['@deepseek-ai', '@standard-schema', 'js-yaml', 'argparse']) {
    cpSync(join(PACKAGE, 'node_modules', name), join(modules, name), { recursive: true });
  }
  symlinkSync(join(PACKAGE, '../crates/node-binding'), join(modules, 'lookback-node'), 'dir');
  writeFileSync(join(project, 'cordis.yml'), '- id: recall-unread\n  name: pi-harness-plugin-lookback\n  config: {}\n');
  writeFileSync(join(project, 'program.mjs'), PROGRAM);
  const sessions = join(project, 'sessions');
  mkdirSync(sessions);
  session(sessions, { id: 's1' });
  const run = spawnSync(process.execPath, ['program.mjs', sessions], { cwd: project, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  assert.deepEqual(JSON.parse(run.stdout).items.map(({ id }: { id: string }) => id), ['s1']);
});

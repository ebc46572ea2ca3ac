// What the plugin starts, it ends.

import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { test } from 'node:test';
import { Context } from '@deepseek-ai/cordis';
import plugin from '../src/index.ts';
import { Harness } from './support/harness.ts';
import { large, session, waiting } from './support/sessions.ts';

const registered = ({ tools, panels }: Harness): string[] => [...tools.items.keys(), ...panels.items.keys()];

/** Files of the session folder that this process has open, where that can be known. */
function openFiles({ directory }: Harness): string[] {
  if (process.platform !== 'linux') return [];
  const target = (link: string): string => {
    try {
      return readlinkSync(`/proc/self/fd/${link}`);
    } catch {
      return '';
    }
  };
  return readdirSync('/proc/self/fd').map(target).filter((path) => path.startsWith(directory));
}

test('load, dispose, load again leaves nothing behind', async () => {
  const harness = new Harness();
  waiting(harness.directory, 2);
  for (let time = 0; time < 3; time++) {
    const fiber = await harness.load();
    await harness.until(({ status }) => status.state === 'completed');
    assert.deepEqual(registered(harness), ['session_recall_unread', 'recall-unread-panel']);
    assert.deepEqual([harness.read().scans, harness.read().total], [1, 2]);
    await fiber.dispose();
    assert.deepEqual(registered(harness), []);
  }
});

test('disposal ends running and waiting scans before it is done', async () => {
  const harness = new Harness();
  large(harness.directory, 8);
  const fiber = await harness.load();
  const { tool, panel } = harness;
  const ended: string[] = [];
  const calls = [harness.call(), harness.call({ query: 'x' })].map((call) => call.catch((error: Error) => ended.push(error.message)));
  await fiber.dispose();
  assert.deepEqual(registered(harness), []);
  assert.deepEqual(openFiles(harness), []);
  await Promise.all(calls);
  assert.deepEqual(ended, Array(2).fill('the scan was cancelled: the plugin was disposed'));
  await assert.rejects(tool.execute('late', {}), /cancelled/);
  assert.throws(() => panel.read(), /disposed/);
});

test('disposal right after loading', async () => {
  const harness = new Harness();
  waiting(harness.directory, 2);
  const fiber = harness.load();
  await fiber.dispose();
  assert.deepEqual(registered(harness), []);
});

test('the plugin goes with a service that it needs, and comes again with it', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 's1' });
  const withoutTools = new Context();
  for (const name of ['piHarnessLaunch', 'piSession', 'piPluginUi'] as const) withoutTools.provide(name, harness.context.get(name));
  const fiber = withoutTools.plugin(plugin);
  await fiber.await();
  assert.deepEqual(registered(harness), []);
  const remove = withoutTools.provide('piTools', harness.tools);
  await fiber.await();
  assert.equal(registered(harness).length, 2);
  assert.deepEqual(await harness.ids(), ['s1']);
  await remove();
  assert.deepEqual(registered(harness), []);
  withoutTools.provide('piTools', harness.tools);
  await fiber.await();
  assert.deepEqual(await harness.ids(), ['s1']);
});

test('a registration that is refused takes back the others', async () => {
  const harness = new Harness();
  harness.panels.refusing = new Error('no room for a panel');
  await assert.rejects(async () => harness.load(), /no room for a panel/);
  assert.deepEqual(registered(harness), []);
  harness.panels.refusing = undefined;
  harness.tools.refusing = new Error('leased');
  await assert.rejects(async () => harness.load(), /leased/);
  assert.deepEqual(registered(harness), []);
});

test('session files are left as they are', async () => {
  const harness = new Harness();
  waiting(harness.directory, 3);
  const before = readdirSync(harness.directory);
  await harness.settled();
  await harness.call();
  assert.deepEqual(readdirSync(harness.directory), before);
  assert.deepEqual(readdirSync(harness.agentDir), [], 'nothing is written anywhere');
});

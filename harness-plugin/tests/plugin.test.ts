import assert from 'node:assert/strict';
import { test } from 'node:test';
import plugin, { Config } from '../src/index.ts';
import { Harness } from './support/harness.ts';
import { session } from './support/sessions.ts';

test('the plugin is what profiles and hosts expect', () => {
  assert.equal(plugin.name, 'pi-recall-unread');
  assert.deepEqual(plugin.inject, ['piHarnessLaunch', 'piSession', 'piPluginUi', 'piTools']);
  assert.equal(plugin.Config, Config);
});

test('it waits for the services it asks for', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 's1' });
  await harness.settled();
  assert.deepEqual(await harness.ids(), ['s1']);
});

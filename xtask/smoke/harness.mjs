// Loads the installed plugin into a Cordis context and calls its tool: node harness.mjs FOLDER

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Context } from '@deepseek-ai/cordis';
import plugin from 'pi-harness-plugin-lookback';

const [folder] = process.argv.slice(2);
const cwd = '/home/dev/harbor';
const sessions = join(folder, 'sessions');
mkdirSync(sessions, { recursive: true });
const entries = [
  { type: 'session', version: 3, id: 'waiting', timestamp: '2026-03-02T09:00:00.000Z', cwd },
  {
    type: 'message', id: 'a0000001', parentId: null, timestamp: '2026-03-02T09:00:01.000Z',
    message: { role: 'user', content: 'Did the release go out?', timestamp: 1772442001000 },
  },
];
writeFileSync(join(sessions, '2026-03-02_waiting.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));

const registered = new Map();
const registry = (key) => ({
  register(item) {
    registered.set(item[key], item);
    return () => registered.delete(item[key]);
  },
});
const context = new Context();
context.provide('piHarnessLaunch', { cwd, agentDir: folder, args: [] });
context.provide('piSession', {
  manager: {
    getSessionDir: () => sessions,
    getSessionId: () => 'active',
    getSessionFile: () => join(sessions, 'active.jsonl'),
    getCwd: () => cwd,
  },
});
context.provide('piTools', registry('name'));
context.provide('piPluginUi', registry('id'));
const loaded = await context.plugin(plugin, {});
const { details } = await registered.get('session_recall_unread').execute('call', {}, undefined);
assert.deepEqual(details.items.map(({ id }) => id), ['waiting']);
await loaded.dispose();
assert.equal(registered.size, 0, 'the plugin left something behind');
console.log(JSON.stringify(details.items[0]));

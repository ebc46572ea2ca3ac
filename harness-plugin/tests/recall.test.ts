// The second tool, for those who switch it on.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Tool } from '../src/index.ts';
import { Harness, Manager } from './support/harness.ts';
import { folder, session, WORKSPACE } from './support/sessions.ts';

const ANSWERED = [['user', 'How do we paginate the parser?'], ['assistant', [{ type: 'text', text: 'With cursors.' }]]] as [string, unknown][];

/** A harness whose sessions lie where Pi puts them. */
function pi(): Harness {
  const harness = new Harness();
  const root = join(harness.agentDir, 'sessions');
  const directory = join(root, '--home-dev-app--');
  mkdirSync(directory, { recursive: true });
  mkdirSync(join(root, '--home-dev-other--'));
  harness.manager.directory = directory;
  harness.manager.path = join(directory, 'active.jsonl');
  session(directory, { id: '019c0000-0000-7000-8000-000000000001', said: ANSWERED });
  session(join(root, '--home-dev-other--'), { id: '019c0000-0000-7000-8000-000000000002', cwd: '/home/dev/other', said: ANSWERED });
  return harness;
}

const recall = (harness: Harness): Tool => {
  const tool = harness.tools.items.get('recall');
  assert.ok(tool);
  return tool;
};

const ask = async (harness: Harness, parameters: unknown, signal?: AbortSignal): Promise<string> =>
  (await recall(harness).execute('call', parameters, signal)).content[0]!.text;

test('it is not there unless it is switched on', async () => {
  const harness = await pi().settled();
  assert.deepEqual([...harness.tools.items.keys()], ['session_recall_unread']);
});

test('it searches the sessions of all workspaces, and says which are of this one', async () => {
  const harness = await pi().settled({ recall: true });
  const { name, label, description, promptGuidelines, parameters } = recall(harness);
  assert.equal(name, 'recall');
  assert.ok(label && description && promptGuidelines.length && parameters);
  assert.match(await ask(harness, { action: 'search', query: 'paginate parser' }), /2 matching sessions/);
  assert.match(await ask(harness, { action: 'search', query: 'paginate parser', scope: 'current' }), /1 matching session,/);
  const { details } = await recall(harness).execute('call', { action: 'list' });
  assert.equal((details as any).total, 2);
  assert.ok(existsSync(join(harness.agentDir, 'cache')), 'the index lies under the agent folder');
});

test('a session folder of another place is searched as well, also after a switch to it', async () => {
  const harness = await pi().settled({ recall: true });
  await ask(harness, { action: 'list' });
  const manager = new Manager(folder());
  session(manager.directory, { id: '019c0000-0000-7000-8000-000000000003', said: ANSWERED });
  harness.piSession.manager = manager;
  assert.match(await ask(harness, { action: 'search', query: 'paginate' }), /3 matching sessions/);
});

test('what the model has before its eyes is not found again', async () => {
  const harness = await pi().settled({ recall: true });
  const { manager } = harness;
  manager.id = '019c0000-0000-7000-8000-000000000001';
  Object.assign(manager, { buildContextEntries: () => [{ id: `${manager.id}.0` }, { id: `${manager.id}.1` }, {}] });
  const found = await ask(harness, { action: 'search', query: 'paginate parser' });
  assert.match(found, /1 matching session,/);
  Object.assign(manager, { buildContextEntries: () => { throw new Error('damaged'); } });
  assert.match(await ask(harness, { action: 'search', query: 'paginate parser' }), /2 matching sessions/);
});

test('wrong calls, cancelled ones and those of a session that was left', async () => {
  const harness = await pi().settled({ recall: true });
  await assert.rejects(ask(harness, { action: 'fly' }), { code: 'bad-parameters' });
  await assert.rejects(ask(harness, { action: 'list' }, AbortSignal.abort()), { name: 'AbortError' });
  const call = ask(harness, { action: 'list' });
  harness.manager.cwd = '/home/dev/other';
  await assert.rejects(call, /session changed/);
});

test('it goes with the plugin', async () => {
  const harness = pi();
  const fiber = await harness.load({ recall: true });
  const tool = recall(harness);
  const call = tool.execute('call', { action: 'search', query: 'paginate' }).catch((error: Error) => error.name);
  await fiber.dispose();
  assert.equal(harness.tools.items.size, 0);
  assert.ok(['AbortError', 'object'].includes(await call.then((value) => (typeof value === 'string' ? value : typeof value))));
  await assert.rejects(tool.execute('late', { action: 'list' }), /cancelled/);
  await harness.settled({ recall: true });
  assert.match(await ask(harness, { action: 'search', query: 'paginate' }), /2 matching sessions/);
});

/** Loads the plugin where the add-on cannot be loaded. */
const WITHOUT = `
  const { Harness } = await import(process.argv[1]);
  const harness = new Harness();
  const fiber = await harness.load({ recall: true });
  const panel = await harness.until(({ status }) => status.state === 'failed');
  const error = await harness.call().catch((error) => error.message);
  console.log(JSON.stringify({ panel, error, active: fiber.state, tools: [...harness.tools.items.keys()] }));
`;

test('without the add-on the harness starts, and calls say what is missing', () => {
  const support = new URL('./support/harness.ts', import.meta.url).href;
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', WITHOUT, support], {
    cwd: import.meta.dirname,
    env: { ...process.env, NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere/addon.node' },
    encoding: 'utf8',
  });
  assert.equal(run.status, 0, run.stderr);
  const { panel, error, tools } = JSON.parse(run.stdout.trim().split('\n').at(-1)!);
  assert.match(error, /scanner of Lookback does not run here/);
  assert.equal(panel.scans, 0);
  assert.match(panel.status.error, /scanner of Lookback does not run here/);
  assert.deepEqual(tools, ['session_recall_unread']);
  assert.equal(panel.items.length, 0, WORKSPACE);
});

// The session is replaced, in each way in which that can happen.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Harness, Manager, runtimeOf } from './support/harness.ts';
import { folder, large, session, waiting, WORKSPACE } from './support/sessions.ts';

const CHANGED = /session changed/;

/** A harness with a runtime, and three sessions in the panel. */
async function running(): Promise<{ harness: Harness; runtime: ReturnType<typeof runtimeOf> }> {
  const harness = new Harness();
  waiting(harness.directory, 3);
  const runtime = runtimeOf(harness.manager);
  harness.context.provide('piRuntime', runtime);
  await harness.settled();
  assert.equal(harness.read().total, 3);
  return { harness, runtime };
}

type Running = Awaited<ReturnType<typeof running>>;

const switches: [what: string, by: (running: Running) => void][] = [
  ['the session object of the runtime', ({ harness, runtime }) => void (runtime.session = { sessionManager: harness.manager })],
  ['the manager', ({ harness, runtime }) => void (runtime.session.sessionManager = new Manager(harness.directory))],
  ['the id', ({ harness }) => void (harness.manager.id = 'another')],
  ['the path', ({ harness }) => void (harness.manager.path = `${harness.directory}/another.jsonl`)],
  ['the path, to none', ({ harness }) => void (harness.manager.path = undefined)],
  ['the workspace', ({ harness }) => void (harness.manager.cwd = '/home/dev/other')],
  ['the directory', ({ harness }) => void (harness.manager.directory = folder())],
];

for (const [what, by] of switches) {
  test(`another session, by ${what}: the panel forgets the old one`, async () => {
    const { harness, ...rest } = await running();
    by({ harness, ...rest });
    const { scans, total, items, inventory, status } = harness.read();
    assert.deepEqual({ scans, total, items, status }, { scans: 1, total: 0, items: [], status: { state: 'idle' } });
    assert.deepEqual([inventory.available, inventory.scanned, inventory.unread, inventory.truncated], [0, 0, 0, false]);
    await harness.call();
    assert.equal(harness.read().scans, 2);
    assert.equal(harness.read().status.state, 'completed');
  });

  test(`another session, by ${what}: a running call ends and nothing of it is shown`, async () => {
    const { harness, ...rest } = await running();
    const call = harness.call();
    by({ harness, ...rest });
    await assert.rejects(call, CHANGED);
    const { scans, total, status } = harness.read();
    assert.deepEqual([scans, total, status.state], [1, 0, 'idle']);
  });

  test(`another session, by ${what}: a waiting call does not go over to it`, async () => {
    const { harness, ...rest } = await running();
    const first = harness.call();
    const waiting = harness.call();
    await first;
    by({ harness, ...rest });
    await assert.rejects(waiting, CHANGED);
    assert.equal(harness.read().total, 0);
  });
}

/** Which look at the session is the first that sees another one: 0 is that of the caller. */
for (const [look, seen] of [[1, 'before the folder is listed'], [2, 'after the files are read'], [3, 'before the answer is returned']] as const) {
  test(`a switch is noticed ${seen}`, async () => {
    const harness = new Harness();
    waiting(harness.directory, 3);
    await harness.settled();
    let looks = 0;
    harness.manager.getSessionId = () => (looks++ < look ? 'active' : 'another');
    await assert.rejects(harness.call(), CHANGED);
    const { scans, total, status } = harness.read();
    assert.deepEqual([scans, total, status.state], [1, 0, 'idle']);
  });
}

test('a failure for a session that was left is no failure of the one that came', async () => {
  const harness = await new Harness().settled();
  const place = join(folder(), 'sessions');
  writeFileSync(place, '');
  harness.manager.directory = place;
  const call = harness.call();
  harness.manager.directory = folder();
  await assert.rejects(call, CHANGED);
  assert.deepEqual(harness.read().status, { state: 'idle' });
});

test('the session is taken down before the parameters are looked at', async () => {
  const harness = await new Harness().settled();
  const order: string[] = [];
  harness.manager.getSessionId = () => (order.push('session'), 'active');
  await assert.rejects(harness.call({ query: 5 }), /query/);
  assert.deepEqual(order, ['session']);
  harness.manager.getSessionId = () => {
    throw new Error('no session');
  };
  await assert.rejects(harness.call({ query: 5 }), /no session/);
});

test('the old session is forgotten for good when it is opened again', async () => {
  const { harness } = await running();
  harness.manager.id = 'another';
  harness.read();
  harness.manager.id = 'active';
  const { total, status } = harness.read();
  assert.deepEqual([total, status.state], [0, 'idle']);
});

test('a runtime that starts after the plugin is no other session', async () => {
  const harness = new Harness();
  large(harness.directory, 4);
  const loading = harness.load();
  await loading;
  harness.context.provide('piRuntime', runtimeOf(harness.manager));
  await harness.until(({ status }) => status.state === 'completed');
  assert.equal(harness.read().total, 4);
});

test('the session of the runtime counts, where there is one', async () => {
  const harness = new Harness();
  const manager = new Manager(folder());
  manager.id = 'running';
  waiting(manager.directory, 2);
  session(manager.directory, { id: 'running' });
  harness.context.provide('piRuntime', runtimeOf(manager));
  await harness.settled();
  assert.deepEqual(await harness.ids(), ['s0000', 's0001']);
});

test('a manager of the session service that is replaced is another session', async () => {
  const harness = new Harness();
  waiting(harness.directory, 2);
  await harness.settled();
  harness.piSession.manager = new Manager(harness.directory);
  assert.equal(harness.read().total, 0);
});

test('where the host has no session, the panel is empty and a call says so', async () => {
  const harness = new Harness();
  waiting(harness.directory, 2);
  await harness.settled();
  harness.piSession.manager = undefined as never;
  assert.equal(harness.read().total, 0);
  await assert.rejects(harness.call(), /no session/);
  harness.piSession.manager = Object.assign(new Manager(harness.directory), { getCwd: () => undefined }) as never;
  await assert.rejects(harness.call(), /no cwd/);
  harness.piSession.manager = Object.assign(new Manager(harness.directory), { cwd: '' });
  await assert.rejects(harness.call(), /no cwd/);
});

test('sessions of the workspace that is open now are found', async () => {
  const { harness } = await running();
  session(harness.directory, { id: 'other', cwd: '/home/dev/other' });
  harness.manager.cwd = '/home/dev/other';
  assert.deepEqual(await harness.ids(), ['other']);
  harness.manager.cwd = `${WORKSPACE}/../app/`;
  assert.equal((await harness.ids()).length, 3, 'the same folder, written in another way');
});

// The panel, and the scan at startup.

import assert from 'node:assert/strict';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Harness, Manager } from './support/harness.ts';
import { folder, large, session, waiting } from './support/sessions.ts';

test('the panel has its id and says what it is', async () => {
  const { id, pluginId, title, description, icon } = (await new Harness().settled()).panel;
  assert.deepEqual([id, pluginId], ['recall-unread-panel', '@pi-harness/plugin-recall-unread']);
  assert.ok(title && description && icon);
});

test('it shows the scan at startup', async () => {
  const harness = new Harness();
  waiting(harness.directory, 60);
  await harness.settled({ maxSessions: 70 });
  const { scans, total, items, inventory, status, limits } = harness.read();
  assert.deepEqual([scans, total, items.length], [1, 60, 50]);
  assert.deepEqual(Object.keys(items[0]!), ['id', 'path', 'cwd', 'name', 'modified', 'messageCount', 'message']);
  assert.deepEqual(inventory, {
    available: 60, candidates: 60, scanned: 60, unread: 60, shown: 50,
    truncated: true, discoveryTruncated: false, scanTruncated: false, displayTruncated: true,
  });
  assert.equal(status.state, 'completed');
  assert.equal(new Date(status.at!).toISOString(), status.at);
  assert.equal(status.error, undefined);
  assert.equal(limits.sessions, 70);
});

test('reading it scans nothing', async () => {
  const harness = await new Harness().settled();
  waiting(harness.directory, 3);
  for (let time = 0; time < 3; time++) assert.equal(harness.read().total, 0);
  assert.equal(harness.read().scans, 1);
});

test('it keeps the whole list of the last scan, whatever page a call asked for', async () => {
  const harness = await new Harness().settled();
  waiting(harness.directory, 3);
  await harness.call({ query: 'nothing of this kind', limit: 1 });
  const { scans, total, inventory } = harness.read();
  assert.deepEqual([scans, total, inventory.shown], [2, 3, 3]);
  assert.equal('matched' in inventory, false);
});

test('what a host does with a snapshot or an answer changes nothing', async () => {
  const harness = new Harness();
  waiting(harness.directory, 2);
  await harness.settled();
  const { details } = await harness.call();
  const before = harness.read();
  const taken = harness.read() as any;
  taken.items[0].name = 'x';
  taken.items.length = 0;
  taken.inventory.unread = taken.limits.sessions = taken.scans = -1;
  taken.status.state = 'failed';
  details.items[0]!.message = 'x';
  details.inventory.unread = -1;
  assert.deepEqual(harness.read(), before);
});

test('before the first scan there is nothing, and it says so', async () => {
  const harness = new Harness();
  waiting(harness.directory, 1);
  await harness.settled();
  harness.manager.id = 'another';
  const { limits, ...rest } = harness.read();
  assert.deepEqual(rest, {
    scans: 1, total: 0, items: [], status: { state: 'idle' },
    inventory: {
      available: 0, candidates: 0, scanned: 0, unread: 0, shown: 0,
      truncated: false, discoveryTruncated: false, scanTruncated: false, displayTruncated: false,
    },
  });
  assert.equal(limits.sessions, 100);
});

test('while a scan runs it says so, and shows what is known', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 's1' });
  await harness.settled();
  large(harness.directory, 4);
  const call = harness.call();
  const { status, items } = harness.read();
  assert.deepEqual([status.state, items.length], ['running', 1]);
  assert.ok(status.at);
  await call;
});

test('the limits are those of the scanner', async () => {
  const harness = await new Harness().settled();
  const { scanUnread } = await import('lookback-node');
  const { limits } = await scanUnread({ folder: harness.directory, cwd: '/home/dev/app', maxSessions: 100 });
  assert.deepEqual({ ...limits }, harness.read().limits);
});

test('a startup that fails keeps nothing from working', async () => {
  const harness = new Harness();
  // A file where the folder should be.
  const place = join(folder(), 'sessions');
  writeFileSync(place, '');
  harness.manager.directory = place;
  const fiber = await harness.load();
  assert.ok(fiber.uid);
  const { scans, status } = await harness.until(({ status }) => status.state === 'failed');
  assert.equal(scans, 0);
  assert.match(status.error!, /cannot list/);
  await assert.rejects(harness.call(), /cannot list/);
  rmSync(place);
  waiting(place, 1);
  assert.equal((await harness.call()).details.total, 1);
  assert.deepEqual([harness.read().scans, harness.read().status.state], [1, 'completed']);
});

test('a scan that fails keeps what an earlier one found, and its error is bounded', async () => {
  const harness = new Harness();
  // Every part of a path has to be short, the whole does not.
  const deep = join(harness.directory, ...Array.from({ length: 15 }, () => 'x'.repeat(200)));
  waiting(deep, 2);
  harness.manager.directory = deep;
  await harness.settled();
  rmSync(deep, { recursive: true });
  writeFileSync(deep, '');
  await assert.rejects(harness.call(), /cannot list/);
  const { scans, total, items, status } = harness.read();
  assert.deepEqual([scans, total, items.length, status.state], [1, 2, 2, 'failed']);
  assert.equal(status.error!.length, 500);
  assert.ok(status.at);
});

test('a host without a session at startup is told in the panel', async () => {
  const harness = new Harness();
  harness.piSession.manager = undefined as never;
  await harness.load();
  const { status } = harness.read();
  assert.equal(status.state, 'failed');
  assert.match(status.error!, /no session/);
  harness.piSession.manager = new Manager(harness.directory);
  assert.equal(harness.read().status.state, 'idle');
  assert.equal((await harness.call()).details.total, 0);
});

test('a stale failure of the startup is not shown for the session that came', async () => {
  const harness = new Harness();
  const place = join(folder(), 'sessions');
  writeFileSync(place, '');
  harness.manager.directory = place;
  await harness.load();
  harness.manager.directory = folder();
  waiting(harness.manager.directory, 1);
  const call = harness.call();
  assert.equal((await call).details.total, 1);
  const { scans, total, status } = harness.read();
  assert.deepEqual([scans, total, status.state, status.error], [1, 1, 'completed', undefined]);
});

test('a folder that may not be listed is a failure', { skip: process.getuid?.() === 0 && 'root may list everything' }, async () => {
  const harness = await new Harness().settled();
  chmodSync(harness.directory, 0);
  await assert.rejects(harness.call(), /cannot list/);
  chmodSync(harness.directory, 0o700);
});

// Several calls at once, and calls that are called off.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Harness } from './support/harness.ts';
import { large, session, waiting } from './support/sessions.ts';

const CANCELLED = { name: 'AbortError', message: /the scan was cancelled/ };

test('concurrent calls each get their own page, one scan after another', async () => {
  const harness = new Harness();
  waiting(harness.directory, 30, (index) => ({ name: `session ${index}` }));
  await harness.settled();
  const order: number[] = [];
  const calls = Array.from({ length: 12 }, async (_, index) => {
    const { details } = await harness.call({ query: `session ${index}`, limit: index + 1, offset: index % 2 });
    order.push(index);
    return details;
  });
  const pages = await Promise.all(calls);
  assert.deepEqual(order, [...order].sort((a, b) => a - b));
  pages.forEach(({ offset, total, items }, index) => {
    assert.equal(offset, index % 2);
    // `session 1` is also the start of `session 10` to `session 19`.
    assert.equal(total, index === 1 || index === 2 ? 11 : 1);
    assert.ok(items.every(({ name }) => name.startsWith(`session ${index}`)));
  });
  assert.equal(harness.read().scans, 13);
  assert.equal(harness.read().total, 30, 'the panel keeps the whole list, whatever the pages');
});

test('a call whose signal is aborted already scans nothing', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 's1' });
  await harness.settled();
  await assert.rejects(harness.call({}, AbortSignal.abort()), CANCELLED);
  const { scans, items, status } = harness.read();
  assert.deepEqual([scans, items.length, status.state], [1, 1, 'cancelled']);
  assert.match(status.error!, /cancelled/);
});

test('cancellation in flight ends the call, keeps what was found, and lets the next one run', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 'small', written: 100 });
  await harness.settled();
  large(harness.directory, 8);
  const before = harness.read();
  const ending = new AbortController();
  const reason = new Error('enough');
  const call = harness.call({}, ending.signal);
  const next = harness.call({ query: 'small' });
  // Long enough for the scan to begin, not for 32 MB.
  setImmediate(() => setImmediate(() => ending.abort(reason)));
  await assert.rejects(call, (error: Error) => {
    assert.equal(error.name, 'AbortError');
    assert.ok(error.cause === reason);
    return true;
  });
  const { scans, items, inventory, status } = harness.read();
  assert.deepEqual({ scans, items, inventory }, { scans: before.scans, items: before.items, inventory: before.inventory });
  assert.ok(['cancelled', 'running'].includes(status.state), status.state);
  assert.deepEqual((await next).details.items.map(({ id }) => id), ['small']);
  assert.equal(harness.read().status.state, 'completed');
});

test('a cancelled call is told in the panel', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 's1' });
  await harness.settled();
  large(harness.directory, 8);
  const ending = new AbortController();
  const call = harness.call({}, ending.signal);
  setImmediate(() => ending.abort());
  await assert.rejects(call, CANCELLED);
  const { status, items } = harness.read();
  assert.deepEqual([status.state, items.length], ['cancelled', 1]);
  assert.match(status.error!, /cancelled/);
  assert.ok(Date.now() - Date.parse(status.at!) < 60_000);
});

test('a call that waits for its turn can be called off at once, and nothing overtakes', async () => {
  const harness = new Harness();
  large(harness.directory, 4);
  await harness.load();
  const ended: string[] = [];
  const running = harness.call().then(() => ended.push('running'));
  const ending = new AbortController();
  const queued = harness.call({}, ending.signal).catch((error: Error) => ended.push(error.name));
  const last = harness.call().then(() => ended.push('last'));
  ending.abort();
  await Promise.all([running, queued, last]);
  assert.deepEqual(ended, ['AbortError', 'running', 'last']);
  assert.deepEqual([harness.read().scans, harness.read().status.state], [3, 'completed']);
});

test('the event loop goes on while files are read', async () => {
  const harness = new Harness();
  large(harness.directory, 4);
  await harness.load();
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 2);
  const began = performance.now();
  await harness.call();
  const took = performance.now() - began;
  clearInterval(beat);
  assert.ok(longest < Math.max(500, took / 2), `${longest} of ${took} ms`);
});

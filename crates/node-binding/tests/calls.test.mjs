// The life of a call: signals, progress, panics, close, and what is left when nobody closes.

import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { Lookback, folder, native, open, openCase, rejection, run, writeMany } from './support.mjs';

const FILES = 80;
const big = writeMany(FILES, 10);

/** A real signal that remembers how many listeners it has. */
function countingSignal() {
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args) => { listeners += 1; add(...args); };
  signal.removeEventListener = (...args) => { listeners -= 1; remove(...args); };
  return { controller, signal, listeners: () => listeners };
}

test('a signal that is aborted already ends a call before it begins', async () => {
  const lookback = await open();
  const reason = new Error('the user typed on');
  for (const call of [
    lookback.search('x', { signal: AbortSignal.abort(reason) }),
    lookback.sync({ signal: AbortSignal.abort(reason) }),
    lookback.read('x', { signal: AbortSignal.abort(reason) }),
    lookback.tool('recall', { action: 'list' }, { signal: AbortSignal.abort(reason) }),
  ]) {
    const error = await rejection(call);
    assert.deepEqual([error.name, error.code, error.cause], ['AbortError', 'aborted', reason]);
  }
  assert.equal((await rejection(lookback.list({ signal: AbortSignal.abort('a word') }))).cause, 'a word');
});

test('an abort during a call ends it soon', async () => {
  const { controller, signal, listeners } = countingSignal();
  const start = Date.now();
  const call = native.testWait(60_000, { signal });
  assert.equal(listeners(), 1);
  await sleep(50);
  controller.abort();
  const error = await rejection(call);
  assert.deepEqual([error.name, error.code, error.cause.name], ['AbortError', 'aborted', 'AbortError']);
  assert.ok(Date.now() - start < 5_000);
  assert.equal(listeners(), 0, 'nothing is left on the signal');
});

test('an abort ends a real sync, and the next one goes on', async () => {
  const lookback = await open({ sessions: [big] });
  const controller = new AbortController();
  const call = lookback.sync({ signal: controller.signal, onProgress: () => controller.abort() });
  assert.equal((await rejection(call)).code, 'aborted');
  const report = await lookback.sync();
  assert.equal(report.state, 'updated');
  assert.equal((await lookback.status()).index.files, FILES);
});

test('calls that wait for a thread end without being worked on', async () => {
  const threads = Array.from({ length: 64 }, () => native.testWait(200, {}));
  const controller = new AbortController();
  setMaxListeners(100, controller.signal);
  const waiting = Array.from({ length: 64 }, () => native.testWait(60_000, { signal: controller.signal }));
  const ends = Promise.allSettled(waiting);
  controller.abort();
  assert.ok((await ends).every((end) => end.reason.code === 'aborted'));
  await Promise.all(threads);
});

test('an abort after a call changes nothing, and one signal serves many calls', async () => {
  const lookback = await openCase('12-abandoned-branch');
  const { controller, signal, listeners } = countingSignal();
  for (let round = 0; round < 200; round += 1) await lookback.search('indigo', { signal, sync: false });
  assert.equal(listeners(), 0);
  controller.abort();
  await turn();
  assert.equal((await lookback.search('indigo')).hits.length, 1);
});

test('progress comes in order, and none after the end', async () => {
  const lookback = await open({ sessions: [big] });
  const seen = [];
  let over = false;
  const report = await lookback.sync({
    onProgress: (progress) => {
      assert.equal(over, false);
      seen.push(progress);
    },
  });
  over = true;
  assert.equal(report.added, FILES);
  assert.ok(seen.length >= 2, `${seen.length} reports`);
  const last = seen.at(-1);
  assert.deepEqual([last.filesDone, last.filesTotal, last.bytesDone], [FILES, FILES, last.bytesTotal]);
  assert.ok(seen.every(({ bytesDone }, at) => at === 0 || bytesDone >= seen[at - 1].bytesDone));
  const again = [];
  await lookback.reindex({ onProgress: (progress) => again.push(progress) });
  assert.equal(again.at(-1).filesDone, FILES);
  await sleep(20);
});

test('a slow listener gets the latest progress, not a queue', async () => {
  let calls = 0;
  const reports = await native.testWait(300, {
    onProgress: () => {
      calls += 1;
      const end = Date.now() + 20;
      while (Date.now() < end);
    },
  });
  assert.ok(calls >= 1 && calls <= 20 && calls < reports, `${calls} of ${reports}`);
});

test('what a listener throws ends the call', async () => {
  const mine = new Error('mine');
  const start = Date.now();
  const error = await rejection(native.testWait(60_000, { onProgress: () => { throw mine; } }));
  assert.equal(error, mine);
  assert.ok(Date.now() - start < 5_000);
  const lookback = await open({ sessions: [big] });
  assert.equal(await rejection(lookback.sync({ onProgress: () => { throw 'a word'; } })), 'a word');
  assert.equal((await lookback.sync()).complete, true);
});

test('a panic is an error, and not a line on the terminal', () => {
  const { code, out, err } = run(`
    const native = require(LOADER).load();
    try { native.testPanicNow(); } catch (error) { console.log('now', error instanceof Error, error.message); }
    await native.testPanicLater().catch((error) => console.log('later', error.code, error.name, error.message));
    const { Lookback } = require(INDEX);
    await (await Lookback.open({ sessions: ['/nowhere'], cache: '/nowhere', data: '/nowhere' })).tags();
    console.log('alive');
  `);
  assert.equal(code, 0, err);
  assert.match(out, /now true .*on request/);
  assert.match(out, /later panic LookbackError a bug in Lookback: .*test_hooks\.rs.*on request, in a worker/s);
  assert.match(out, /alive/);
  assert.equal(err, '');
});

test('close lets running calls end, takes no more, and can be repeated', async () => {
  const lookback = await open({ sessions: [big] });
  const [sync, ...searches] = [lookback.sync(), ...Array.from({ length: 20 }, () => lookback.search('word7', { sync: false }))];
  const ends = Promise.allSettled([sync, ...searches]);
  let settled = 0;
  for (const call of [sync, ...searches]) call.then(() => (settled += 1), () => (settled += 1));
  const closings = [lookback.close(), lookback.close()];
  assert.equal(lookback.closed, true);
  assert.equal((await rejection(lookback.search('x'))).code, 'closed');
  await Promise.all(closings);
  await turn();
  assert.equal(settled, 21, 'no call is left when close is over');
  for (const end of await ends) {
    if (end.status === 'rejected') assert.equal(end.reason.code, 'closed');
  }
  await lookback.close();
  for (const method of ['sync', 'reindex', 'list', 'tags', 'status', 'unread']) {
    assert.equal((await rejection(lookback[method]())).code, 'closed', method);
  }
  assert.ok(lookback.locations.cache);
});

test('one closed object does not close another on the same folders', async () => {
  const home = folder();
  const place = { sessions: [path.join(home, 's')], cache: path.join(home, 'c'), data: path.join(home, 'd'), cwd: home };
  const [one, two] = [await open(place), await open(place)];
  assert.equal(native.testEngines() >= 1, true);
  await one.close();
  assert.deepEqual((await two.list()).sessions, []);
});

test('objects share one engine for each set of folders, and it goes with the last of them', () => {
  const { code, out, err } = run(`
    const native = require(LOADER).load();
    const { Lookback } = require(INDEX);
    const place = { sessions: ['/nowhere/s'], cache: '/nowhere/c', data: '/nowhere/d' };
    let held = await Promise.all(Array.from({ length: 50 }, (_, at) => Lookback.open({ ...place, cwd: '/' + at })));
    held.push(await Lookback.open({ ...place, sessions: ['/nowhere/other'] }));
    console.log(native.testEngines());
    await Promise.all(held.map((lookback) => lookback.close()));
    console.log(native.testEngines());
    for (let round = 0; round < 1000; round += 1) {
      const lookback = await Lookback.open(place);
      await lookback.close();
    }
    console.log(native.testEngines());
    held = null;
    (() => { for (let at = 0; at < 100; at += 1) Lookback.open({ ...place, cwd: '/' + at }); })();
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let round = 0; round < 50 && native.testEngines() > 0; round += 1) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    console.log(native.testEngines());
  `, { flags: ['--expose-gc'] });
  assert.equal(code, 0, err);
  assert.deepEqual(out.trim().split('\n'), ['2', '0', '0', '0']);
});

test('an object that nobody holds keeps its calls alive, and its process not', () => {
  const { code, out, err } = run(`
    const { Lookback } = require(INDEX);
    let lookback = await Lookback.open({ sessions: [process.argv[2]], cache: process.argv[3], data: process.argv[3] });
    const calls = [lookback.sync(), lookback.search('word7', { sync: false })];
    lookback = null;
    for (let round = 0; round < 20; round += 1) { globalThis.gc(); await new Promise(setImmediate); }
    const [report] = await Promise.all(calls);
    console.log(report.added);
  `, { flags: ['--expose-gc'], args: [big, folder()] });
  assert.deepEqual([code, out.trim()], [0, String(FILES)], err);
});

test('the end of the process waits for no sync', () => {
  const start = Date.now();
  const { code, err } = run(`
    require(INDEX);
    const native = require(LOADER).load();
    native.testWait(60_000, {});
    native.testWait(60_000, { onProgress() {} });
    setTimeout(() => process.exit(0), 50);
  `);
  assert.equal(code, 0, err);
  assert.ok(Date.now() - start < 20_000);
});

test('there is no way to make an object without opening it', () => {
  assert.throws(() => new Lookback());
  assert.throws(() => Lookback.prototype.search.call({}, 'x'));
  assert.throws(() => Lookback.prototype.close.call(Object.create(Lookback.prototype)));
});

test('memory does not grow with the number of calls', () => {
  const { code, out, err } = run(`
    const { Lookback } = require(INDEX);
    const lookback = await Lookback.open({ sessions: [process.argv[2]], cache: process.argv[3], data: process.argv[3] });
    await lookback.sync();
    const { sessions } = await lookback.list({ limit: 1, sync: false });
    async function round(calls) {
      const { signal } = new AbortController();
      for (let at = 0; at < calls; at += 1) {
        await lookback.search('word' + at, { signal, sync: false, onProgress() {} });
        await lookback.sync({ onProgress() {}, signal });
        await lookback.read(sessions[0].id).then(() => lookback.read('nope')).catch(() => {});
      }
      for (let pass = 0; pass < 3; pass += 1) { globalThis.gc(); await new Promise(setImmediate); }
      return process.memoryUsage().rss / 2 ** 20;
    }
    await round(60);
    const before = await round(60);
    const after = await round(240);
    console.log(Math.round(after - before));
  `, { flags: ['--expose-gc'], args: [writeMany(10, 5), folder()] });
  assert.equal(code, 0, err);
  assert.ok(Number(out) < 20, `grown by ${out} MiB`);
  fs.rmSync(big, { recursive: true, force: true });
});

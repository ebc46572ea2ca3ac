// Worker threads that load the add-on, and end.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { CASES, folder, openCase, run } from './support.mjs';

const sessions = [path.join(CASES, '12-abandoned-branch/sessions')];
const file = path.join(import.meta.dirname, 'worker.cjs');

const start = (end) => new Worker(file, { workerData: { sessions, home: folder(), end } });

for (const end of ['close', 'nothing', 'exit']) {
  test(`two workers, one after the other, that end with ${end}`, async () => {
    for (const _ of [1, 2]) {
      const worker = start(end);
      const ended = once(worker, 'exit');
      const [found] = await once(worker, 'message');
      assert.equal(found, 1);
      assert.deepEqual(await ended, [0]);
    }
    const { hits } = await (await openCase('12-abandoned-branch')).search('indigo');
    assert.equal(hits.length, 1);
  });
}

test('a worker that is terminated during a call is gone soon', async () => {
  const worker = start('busy');
  await once(worker, 'message');
  const before = Date.now();
  await worker.terminate();
  assert.ok(Date.now() - before < 10_000);
});

test('many workers at once', async () => {
  const workers = Array.from({ length: 8 }, () => start('close'));
  const found = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0]));
  assert.deepEqual(found, Array(8).fill(1));
  await Promise.all(workers.map((worker) => worker.terminate()));
});

test('a process whose workers alone load the add-on ends well', () => {
  const { code, signal, out, err } = run(
    `
    const { Worker } = require('node:worker_threads');
    const [file, sessions, home] = process.argv.slice(2);
    for (const end of ['nothing', 'close', 'exit']) {
      for (const turn of [1, 2]) {
        const worker = new Worker(file, { workerData: { sessions: [sessions], home: home + end + turn, end } });
        worker.on('message', (found) => console.log(found));
        await new Promise((resolve) => worker.on('exit', resolve));
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { Lookback } = require(INDEX);
    const lookback = await Lookback.open({ sessions: [sessions], cache: home, data: home });
    console.log((await lookback.search('indigo')).hits.length);
  `,
    { args: [file, sessions[0], folder()] },
  );
  assert.deepEqual([code, signal, out.trim().split('\n').length], [0, null, 7], err);
});

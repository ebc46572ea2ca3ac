// What every runtime has to manage: loaded by `require` and by `import`, all kinds of values, errors, signals, progress.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { Lookback, locate, toolDefinitions } = require('../index.js');
const native = require('../loader.js').load();

const [sessions, home] = process.argv.slice(2);

const rejection = (promise) => promise.then(() => assert.fail('it was not rejected'), (error) => error);

(async () => {
  const imported = await import('../index.js');
  assert.strictEqual(imported.Lookback, Lookback);
  assert.strictEqual(imported.default.locate, locate);
  assert.strictEqual(toolDefinitions()[0].name, 'recall');
  assert.ok(path.isAbsolute((await locate()).agentDir));

  const place = { sessions: [sessions], cache: `${home}/cache`, data: `${home}/data`, home, cwd: home, env: {} };
  const lookback = await Lookback.open(place);
  const seen = [];
  assert.strictEqual((await lookback.sync({ onProgress: (progress) => seen.push(progress) })).state, 'updated');
  assert.ok(seen.length > 0);
  const { hits } = await lookback.search('数据库');
  const { text, highlights } = hits[0].snippet;
  assert.strictEqual(highlights.map(({ start, end }) => text.slice(start, end)).join(), '数据库');
  assert.ok(hits[0].entry.timestamp instanceof Date);
  const { id } = hits[0].session;
  assert.deepStrictEqual((await lookback.tag(id, ['#Über'])).tags, ['über']);
  assert.ok((await lookback.read(id)).messages.length > 3);
  assert.ok((await lookback.tree(id)).rows.length > 3);
  assert.strictEqual((await lookback.inspect(id)).opens.ok, true);
  assert.ok((await lookback.unread()).inventory.available > 0);
  assert.strictEqual((await lookback.status()).index.state, 'ready');
  assert.match((await lookback.tool('recall', { action: 'search', query: 'JWT' })).text, /JWT/);

  for (const query of ['\0', '\ud800', 'a\udc00b']) await lookback.search(query);
  assert.strictEqual((await rejection(lookback.search('x', { limt: 1 }))).code, 'unknown-option');
  const wrong = await rejection(lookback.search(5));
  assert.ok(wrong instanceof TypeError && wrong.code === 'invalid-type');
  const mine = new Error('mine');
  assert.strictEqual(await rejection(lookback.search('x', { get limit() { throw mine; } })), mine);
  assert.strictEqual(await rejection(native.testWait(60_000, { onProgress() { throw mine; } })), mine);
  const controller = new AbortController();
  const waiting = native.testWait(60_000, { signal: controller.signal });
  setTimeout(() => controller.abort(), 20);
  assert.strictEqual((await rejection(waiting)).name, 'AbortError');
  assert.strictEqual((await rejection(native.testPanicLater())).code, 'panic');
  assert.throws(() => native.testPanicNow(), /on request/);

  for (const end of ['close', 'nothing']) {
    const worker = new Worker(path.join(__dirname, 'worker.cjs'), {
      workerData: { sessions: [process.argv[4]], home: fs.mkdtempSync(`${home}/worker-`), end },
    });
    const found = await new Promise((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
    });
    assert.strictEqual(found, 1);
    await worker.terminate();
  }

  const calls = Promise.allSettled([lookback.reindex(), lookback.search('JWT')]);
  await lookback.close();
  await calls;
  assert.strictEqual((await rejection(lookback.list())).code, 'closed');
  console.log('all is well');
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

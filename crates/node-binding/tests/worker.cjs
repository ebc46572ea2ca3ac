// Runs in a worker thread: searches, and ends in the way that its parent says.
'use strict';

const { parentPort, workerData } = require('node:worker_threads');
const { Lookback } = require('../index.js');
const native = require('../loader.js').load();

(async () => {
  const { sessions, home, end } = workerData;
  const lookback = await Lookback.open({ sessions, cache: `${home}/cache`, data: `${home}/data`, env: {}, home, cwd: home });
  const { hits } = await lookback.search('indigo', { onProgress() {} });
  parentPort.postMessage(hits.length);
  if (end === 'close') await lookback.close();
  if (end === 'busy') native.testWait(60_000, {});
  if (end === 'busy') native.testWait(60_000, { onProgress() {}, signal: new AbortController().signal });
  if (end === 'exit') {
    lookback.sync();
    process.exit(0);
  }
})();

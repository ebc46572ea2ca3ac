// Uses the installed add-on: node addon.mjs SESSIONS CACHE QUERY

import assert from 'node:assert/strict';
import { Lookback } from 'lookback-node';

const [sessions, cache, query] = process.argv.slice(2);
const lookback = await Lookback.open({ sessions: [sessions], cache, data: `${cache}-data` });
await lookback.sync();
const { hits } = await lookback.search(query);
assert.ok(hits.length > 0, `nothing found for ${query}`);
await lookback.close();
console.log(`${hits.length} hits, the first in ${hits[0].session.title}`);

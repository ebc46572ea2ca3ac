import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completions } from '../../src/commands/completions.ts';
import { tagsIn, words } from '../../src/commands/words.ts';
import type { Engine } from '../../src/engine/engine.ts';

const place = { cwd: '/work', session: 's1' };
const engine = {
  open: async () => ({
    tags: async () => ({ tags: [{ tag: 'rust', sessions: 3 }, { tag: 'ruby', sessions: 1 }, { tag: 'ci', sessions: 1 }], notices: [] }),
    tagsOf: async () => ({ tags: ['ruby'] }),
  }),
} as unknown as Engine;
const offered = async (typed: string) => (await completions(typed, engine, place))?.map(({ value }) => value) ?? null;

test('a subcommand is a whole first word', () => {
  assert.deepEqual(words(' tag #a b '), { subcommand: 'tag', rest: '#a b' });
  assert.deepEqual(words('tagging cats'), { subcommand: 'search', rest: 'tagging cats' });
  assert.deepEqual(words('search tag'), { subcommand: 'search', rest: 'tag' });
  assert.deepEqual(words('status\nreport'), { subcommand: 'status', rest: 'report' });
  assert.deepEqual(words('constructor x'), { subcommand: 'search', rest: 'constructor x' });
  assert.deepEqual(words(''), { subcommand: 'search', rest: '' });
});

test('tags stand with or without #, with spaces or commas', () => {
  assert.deepEqual(tagsIn('#rust, ci  ##x #'), ['#rust', 'ci', '##x']);
});

test('subcommands are offered from the first letter on, and no more when they stand there', async () => {
  assert.equal(await offered(''), null);
  assert.deepEqual(await offered('un'), ['untag', 'unread']);
  assert.equal(await offered('tag'), null);
  assert.equal(await offered('walrus'), null);
});

test('tags are offered where tags can stand', async () => {
  assert.deepEqual(await offered('tag ru'), ['tag #rust', 'tag #ruby']);
  assert.deepEqual(await offered('tag #ci #ru'), ['tag #ci #rust', 'tag #ci #ruby']);
  assert.deepEqual(await offered('untag '), ['untag #ruby']);
  assert.deepEqual(await offered('borrow checker #rus'), ['borrow checker #rust']);
  assert.deepEqual(await offered('#r'), ['#rust', '#ruby']);
  assert.equal(await offered('#rust'), null);
  assert.deepEqual(await offered('autotag --'), ['autotag --all-untagged']);
});

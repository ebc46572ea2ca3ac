import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Found, initial, next, selectedRow, type State } from '../../src/picker/state.ts';
import { row } from '../support/rows.ts';

const found = (ids: string[], more: Partial<Found> = {}): Found => ({
  rows: ids.map((id) => row(id)),
  corpus: 120,
  matched: ids.length,
  notes: [],
  ...more,
});
const asked = (state: State): State => next(state, { type: 'asked' });
const answered = (state: State, page: Found, more = false): State =>
  next(state, { type: 'found', number: state.asked, found: page, more });
const ids = (state: State): string[] => state.rows.map(({ session }) => session);
const start = (): State => answered(asked(initial('', 'all')), found(['a', 'b', 'c']));

test('an answer to an older question is dropped', () => {
  const first = asked(initial('', 'all'));
  const second = asked(first);
  const late = next(second, { type: 'found', number: first.asked, found: found(['old']) });
  assert.deepEqual(ids(late), []);
  assert.equal(late.waiting, true);
  assert.equal(next(second, { type: 'failed', number: first.asked, reason: 'late' }).message, undefined);
});

test('the selection stays inside the list', () => {
  assert.equal(next(start(), { type: 'move', by: -1 }).selected, 0);
  assert.equal(next(start(), { type: 'move', by: 99 }).selected, 2);
  assert.equal(next(initial('', 'all'), { type: 'move', by: 5 }).selected, 0);
  assert.equal(selectedRow(initial('', 'all')), undefined);
});

test('the selection stays with its session when rows change places', () => {
  const state = asked(next(start(), { type: 'move', by: 1 }));
  assert.equal(selectedRow(answered(state, found(['new', 'a', 'b', 'c'])))?.session, 'b');
  assert.equal(answered(state, found(['x'])).selected, 0, 'it is gone');
  const top = answered(asked(start()), found(['new', 'a']));
  assert.equal(selectedRow(top)?.session, 'new', 'at the top it stays at the top');
});

test('a new query begins at its best hit, and waits from the first key on', () => {
  const state = next(next(start(), { type: 'move', by: 2 }), { type: 'typed', query: 'x' });
  assert.deepEqual([state.selected, state.waiting, state.query], [0, true, 'x']);
});

test('a further page goes behind, without what is there already', () => {
  const state = answered(start(), found(['c', 'd'], { nextOffset: 5 }), true);
  assert.deepEqual(ids(state), ['a', 'b', 'c', 'd']);
  assert.equal(state.nextOffset, 5);
  assert.equal(answered(asked(state), found(['a'])).nextOffset, undefined);
});

test('an error leaves the rows, and the next key takes it away', () => {
  const state = next(start(), { type: 'failed', number: 1, reason: 'broken' });
  assert.deepEqual([state.message?.text, state.rows.length, state.waiting], ['broken', 3, false]);
  assert.equal(next(state, { type: 'move', by: 1 }).message, undefined);
});

test('insisting ends with the next key', () => {
  const state = next(start(), { type: 'say', text: 'gone', level: 'warning', insist: 'a' });
  assert.equal(state.insist, 'a');
  for (const event of [{ type: 'move', by: 1 }, { type: 'scope' }, { type: 'typed', query: 'y' }] as const) {
    assert.equal(next(state, event).insist, undefined);
  }
});

test('a preview goes to its session alone, and not over a match', () => {
  const hit = row('b', { text: { text: 'match', ranges: [] } });
  const state = answered(asked(initial('', 'all')), { ...found([]), rows: [row('a'), hit] });
  const both = next(next(state, { type: 'preview', session: 'a', text: 'end' }), { type: 'preview', session: 'b', text: 'end' });
  assert.deepEqual(both.rows.map(({ text }) => text?.text), ['end', 'match']);
});

test('progress comes and goes', () => {
  const state = next(start(), { type: 'refreshing', progress: { done: 1, total: 9 } });
  assert.deepEqual([state.refreshing, state.progress], [true, { done: 1, total: 9 }]);
  const after = next(state, { type: 'refreshed' });
  assert.deepEqual([after.refreshing, after.progress], [false, undefined]);
});

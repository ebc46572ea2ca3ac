import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Asking, DELAYS, type Question, type Source } from '../../src/picker/asking.ts';
import type { Found } from '../../src/picker/state.ts';
import { row } from '../support/rows.ts';

const page = (query: string, more: Partial<Found> = {}): Found => ({ rows: [row(query || 'latest')], corpus: 1, matched: 1, notes: [], ...more });
const settled = (asking: Asking): Promise<void> => until(() => !asking.state.waiting && !asking.state.refreshing);

async function until(test: () => boolean): Promise<void> {
  for (let tries = 0; !test(); tries += 1) {
    assert.ok(tries < 400, 'it never happened');
    await pause(5);
  }
}

function asking(source: Partial<Source> & { find: Source['find'] }) {
  const made = new Asking(source, '', 'all', () => {});
  made.start();
  return Object.assign(made, { [Symbol.dispose]: () => made.dispose() });
}

test('a burst of keys is one question, asked within 40 ms', async () => {
  const questions: { query: string; at: number }[] = [];
  using picker = asking({
    find: async ({ query }) => {
      questions.push({ query, at: performance.now() });
      return page(query);
    },
  });
  await settled(picker);
  for (const query of ['w', 'wa', 'wal']) picker.typed(query);
  const typed = performance.now();
  await settled(picker);
  assert.deepEqual(questions.map(({ query }) => query), ['', 'wal']);
  assert.ok(DELAYS.typing <= 40);
  assert.ok((questions[1]?.at ?? Infinity) - typed < 200, 'the machine may be busy, but not for ever');
  assert.equal(picker.state.rows[0]?.session, 'wal');
});

test('what is typed again is not asked again', async () => {
  let count = 0;
  using picker = asking({ find: async ({ query }) => (count++, page(query)) });
  await settled(picker);
  picker.typed('');
  await pause(DELAYS.typing * 2);
  assert.equal(count, 1);
});

test('a slow answer never overtakes a newer one, and its work is ended', async () => {
  const ended: string[] = [];
  using picker = asking({
    find: async ({ query, signal }) => {
      signal.addEventListener('abort', () => ended.push(query));
      await pause(query === 'slow' ? 120 : 1);
      return page(query);
    },
  });
  await settled(picker);
  picker.typed('slow');
  await pause(DELAYS.typing + 20);
  picker.typed('fast');
  await settled(picker);
  await pause(150);
  assert.equal(picker.state.rows[0]?.session, 'fast');
  assert.ok(ended.includes('slow'));
});

test('errors are shown, harmless, and the next question is asked all the same', async () => {
  using picker = asking({
    find: async ({ query }) => {
      if (query === 'bad') throw new Error('no \x1b[31mindex');
      return page(query);
    },
  });
  await settled(picker);
  picker.typed('bad');
  await settled(picker);
  assert.deepEqual(picker.state.message, { text: 'no index', level: 'error' });
  picker.typed('good');
  await settled(picker);
  assert.equal(picker.state.rows[0]?.session, 'good');
});

test('new sessions are shown once they are read, and a failed look is told', async () => {
  let isThere = false;
  using picker = asking({
    find: async () => page(isThere ? 'new' : 'old'),
    refresh: async () => {
      await pause(20);
      return (isThere = true);
    },
  });
  await until(() => picker.state.rows[0]?.session === 'new');
  using broken = asking({ find: async () => page('old'), refresh: async () => Promise.reject(new Error('disk gone')) });
  await until(() => broken.state.message !== undefined);
  assert.match(broken.state.message?.text ?? '', /could not be read: disk gone/);
  assert.equal(broken.state.rows[0]?.session, 'old');
});

test('a long first build shows how far it is, and what is there already', async () => {
  let committed = 0;
  using picker = asking({
    find: async () => page(`after ${committed}`),
    refresh: async (progress, signal) => {
      for (committed = 0; committed < 40 && !signal.aborted; committed += 1) {
        progress({ done: committed, total: 40 });
        await pause(50);
      }
      return true;
    },
  });
  await until(() => picker.state.progress !== undefined);
  await until(() => picker.state.rows[0]?.session !== 'after 0' && picker.state.refreshing);
  await settled(picker);
  assert.equal(picker.state.progress, undefined);
  assert.equal(picker.state.rows[0]?.session, 'after 40');
});

test('the end of the list brings the next page, once', async () => {
  const offsets: number[] = [];
  using picker = asking({
    find: async ({ offset }: Question) => {
      offsets.push(offset);
      return page(`at ${offset}`, offset === 0 ? { nextOffset: 50 } : {});
    },
  });
  await settled(picker);
  picker.move(1);
  picker.move(1);
  await until(() => picker.state.rows.length === 2);
  picker.move(1);
  await pause(20);
  assert.deepEqual(offsets, [0, 50]);
});

test('a session without a match shows its end, when the selection rests on it', async () => {
  const looked: string[] = [];
  using picker = asking({
    find: async () => ({ ...page(''), rows: [row('a'), row('b'), row('c')] }),
    preview: async ({ session }) => (looked.push(session), `end of ${session}`),
  });
  await settled(picker);
  picker.move(1);
  picker.move(1);
  await until(() => picker.state.rows[2]?.text !== undefined);
  assert.deepEqual(looked, ['c']);
  assert.equal(picker.state.rows[2]?.text?.text, 'end of c');
});

test('after the end nothing changes, and every signal is aborted', async () => {
  let signal: AbortSignal | undefined;
  let changes = 0;
  const picker = new Asking({ find: async (question) => ((signal = question.signal), await pause(20), page('late')) }, '', 'all', () => changes++);
  picker.start();
  picker.dispose();
  const before = changes;
  picker.typed('x');
  await pause(60);
  assert.equal(signal?.aborted, true);
  assert.equal(changes, before);
  assert.deepEqual(picker.state.rows, []);
});

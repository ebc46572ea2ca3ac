import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { visibleWidth } from '@earendil-works/pi-tui';
import { draw, header, parts, rowsShown, type View } from '../../src/picker/drawing.ts';
import { initial, type State } from '../../src/picker/state.ts';
import { row } from '../support/rows.ts';

const bare = { fg: (_: string, text: string) => text, bg: (_: string, text: string) => text, bold: (text: string) => text } as View['colors'];
const coloured = {
  fg: (_: string, text: string) => `\x1b[38;5;4m${text}\x1b[39m`,
  bg: (_: string, text: string) => `\x1b[48;5;4m${text}\x1b[49m`,
  bold: (text: string) => `\x1b[1m${text}\x1b[22m`,
} as View['colors'];

const view = (more: Partial<View> = {}): View => ({
  width: 80,
  height: 24,
  colors: bare,
  now: new Date('2026-03-03T10:00:00Z'),
  home: '/home/u',
  current: 'here',
  title: 'Recall',
  input: '> query',
  hints: ['enter resume', 'escape close'],
  nothing: () => 'Nothing found.',
  ...more,
});
const state = (more: Partial<State> = {}): State => ({
  ...initial('query', 'all'),
  waiting: false,
  rows: [
    row('a', { title: '漢字とかな混じりのとても長い題名 '.repeat(6), tags: ['rust', 'ci', 'third'] }),
    row('here', { title: '👩‍👩‍👧 family é 😀', copies: 2, hit: { entry: 'e1', role: 'assistant', branch: 'abandoned' } }),
    row('c', { text: { text: 'before the match and 漢字 after', ranges: [{ start: 11, end: 16 }] } }),
  ],
  corpus: 120,
  matched: 3,
  ...more,
});

test('every line has exactly the width, however narrow or wide, with and without colours', () => {
  const states = [
    state(),
    state({ selected: 1 }),
    state({ rows: [] }),
    state({ rows: [], waiting: true }),
    state({ message: { text: 'Its folder /a/very/long/路径/that/does/not/fit is gone. '.repeat(3), level: 'warning' } }),
    state({ progress: { done: 1234, total: 98765 }, refreshing: true }),
    state({ notes: ['“foo” was not found as written; searched food', 'a second note'] }),
    state({ scope: 'current', rows: state().rows.slice(0, 2) }),
  ];
  for (const colors of [bare, coloured]) {
    for (const [number, given] of states.entries()) {
      for (let width = 1; width <= 140; width += width < 50 ? 1 : 13) {
        for (const height of [8, 13, 18, 26, 40]) {
          const lines = draw(given, view({ width, height, colors }));
          const what = `state ${number} at ${width} x ${height}`;
          for (const line of lines) assert.ok(visibleWidth(line) <= width, `${what}: ${JSON.stringify(line)}`);
          if (width < 12) continue;
          assert.equal(lines.length, Math.max(height, 7), what);
          assert.deepEqual([...new Set(lines.map(visibleWidth))], [width], what);
        }
      }
    }
  }
});

test('the picture of a search', () => {
  const lines = draw(state({ selected: 1, corpus: 120 }), view({ width: 100, height: 24 }));
  assert.match(lines[0] ?? '', /^╭─ Recall ─+ 3 of 120 sessions ─╮$/);
  assert.match(lines[1] ?? '', /> query .* all projects │$/);
  const text = stripVTControlCharacters(lines.join('\n'));
  assert.match(text, /#rust #ci +shop +2d │/, 'at most two tags');
  assert.match(text, /▸ ● ⑂ 👩‍👩‍👧 family/u, 'selected, open, on an abandoned branch');
  assert.match(text, /this session · assistant · abandoned branch · also in 2 forks · 2026-03-01 \d\d:00/);
});

test('hits show what matched under their titles where there is room', () => {
  const high = draw(state(), view({ height: 30 })).join('\n');
  assert.match(high, /before the match and 漢字 after/);
  assert.equal(rowsShown(state(), 30), Math.floor(parts(30).list / 2));
  assert.equal(rowsShown(state(), 9), parts(9).list);
});

test('the header counts sessions, not hits', () => {
  assert.equal(header(state({ rows: [row('a'), row('a'), row('b')], corpus: 1_200 })), '2 of 1,200 sessions');
  assert.equal(header(state({ rows: [row('a')], corpus: 1 })), '1 of 1 session');
});

test('the selected row is on the screen, wherever it is in the list', () => {
  const rows = Array.from({ length: 60 }, (_, index) => row(`s${index}`, { title: `title-${index}-` }));
  for (const selected of [0, 1, 30, 58, 59]) {
    const lines = draw(state({ rows, selected }), view({ height: 20 }));
    assert.ok(lines.some((line) => line.includes(`▸ title-${selected}-`)), String(selected));
  }
});

test('nothing found is only said when it is certain', () => {
  const drawn = (more: Partial<State>) => draw(state({ rows: [], ...more }), view()).join('\n');
  assert.match(drawn({}), /Nothing found\./);
  assert.match(drawn({ waiting: true }), /Looking…/);
  assert.match(drawn({ refreshing: true }), /Looking…/);
  assert.match(drawn({ scope: 'current' }), /Nothing found\. Tab looks in all projects\./);
});

test('messages go before progress, and progress before notes', () => {
  const all = { message: { text: 'MESSAGE', level: 'info' as const }, progress: { done: 5, total: 10 }, notes: ['NOTE'] };
  const drawn = (more: Partial<State>) => draw(state(more), view()).join('\n');
  assert.match(drawn(all), /MESSAGE/);
  assert.match(drawn({ ...all, message: undefined as never }), /reading sessions ████████░░░░░░░░ 5 of 10/);
  assert.match(drawn({ notes: ['NOTE'] }), /NOTE/);
});

test('hints that do not fit are left out whole', () => {
  const lines = draw(state(), view({ width: 20, hints: ['enter resume', 'escape close'] }));
  assert.match(lines.at(-2) ?? '', /^│ enter resume +│$/);
});

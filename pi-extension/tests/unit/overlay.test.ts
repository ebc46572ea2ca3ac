import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { KeybindingsManager, type TUI, TUI_KEYBINDINGS, visibleWidth } from '@earendil-works/pi-tui';
import { type Choice, type Kind, Picker } from '../../src/picker/overlay.ts';
import { row } from '../support/rows.ts';

const [ENTER, ESCAPE, DOWN, TAB, CTRL_G, ALT_ENTER, CTRL_X] = ['\r', '\x1b', '\x1b[B', '\t', '\x07', '\x1b\r', '\x18'];
const hit = { entry: 'e1', role: 'user', branch: 'active' as const };
const theme = { fg: (_: string, text: string) => text, bg: (_: string, text: string) => text, bold: (text: string) => text };

function open(more: Partial<Kind> = {}, rows = 40) {
  let choice: Choice | undefined;
  let isOpen = true;
  const kind: Kind = {
    title: 'Recall',
    source: { find: async ({ query }) => ({ rows: query ? [row(query, { hit })] : [row('a', { hit }), row('b')], corpus: 2, matched: 2, notes: [] }) },
    query: '',
    scope: 'all',
    current: 'here',
    nothing: () => 'nothing',
    refuse: async () => undefined,
    ...more,
  };
  const tui = { requestRender: () => {}, terminal: { rows, columns: 80 } } as unknown as TUI;
  const keys = new KeybindingsManager(TUI_KEYBINDINGS);
  const picker = new Picker(tui, theme as never, keys as never, kind, (chosen) => {
    choice = chosen;
    isOpen = false;
  });
  return {
    picker,
    press: async (...data: string[]) => {
      for (const key of data) picker.handleInput(key);
      await pause(70);
    },
    screen: () => picker.render(80).join('\n'),
    get choice() {
      return choice;
    },
    get isOpen() {
      return isOpen;
    },
    [Symbol.dispose]: () => picker.dispose(),
  };
}

test('Enter takes the selected session, Ctrl+G and Alt+Enter take it at its message', async () => {
  for (const [keys, session, atMessage] of [
    [[ENTER], 'a', false],
    [[DOWN, ENTER], 'b', false],
    [[CTRL_G], 'a', true],
    [[ALT_ENTER], 'a', true],
    [[DOWN, CTRL_G], 'b', false],
  ] as [string[], string, boolean][]) {
    using it = open();
    await pause(10);
    await it.press(...keys);
    assert.deepEqual(it.choice, { row: { ...row(session), ...(session === 'a' ? { hit } : {}) }, atMessage }, JSON.stringify(keys));
  }
});

test('Escape closes without a choice', async () => {
  using it = open();
  await it.press(ESCAPE!);
  assert.deepEqual([it.isOpen, it.choice], [false, undefined]);
});

test('what was typed right before Enter is what is taken', async () => {
  using it = open();
  await pause(10);
  await it.press('w', 'a', 'l', ENTER!);
  assert.equal(it.choice?.row.session, 'wal');
});

test('a query that is handed in stands there, with the cursor behind it', async () => {
  using it = open({ query: 'wal' });
  await it.press('r');
  assert.match(it.screen(), /walr/);
});

test('a refusal is told and nothing is taken; a second Enter insists where Pi would ask', async () => {
  const refuse: Kind['refuse'] = async (_choice, insisted) => (insisted ? undefined : { reason: 'Its folder is gone.', mayInsist: true });
  using it = open({ refuse });
  await pause(10);
  await it.press(ENTER!);
  assert.ok(it.isOpen);
  assert.match(it.screen(), /Its folder is gone\. Enter again: Pi asks what to do\./);
  await it.press(ENTER!);
  assert.equal(it.choice?.row.session, 'a');
});

test('another scope asks again and says so', async () => {
  const scopes: string[] = [];
  using it = open({ source: { find: async ({ scope }) => (scopes.push(scope), { rows: [], corpus: 0, matched: 0, notes: [] }) } });
  await it.press(TAB!);
  assert.deepEqual(scopes, ['all', 'current']);
  assert.match(it.screen(), /this folder │/);
});

test('a further key does its work, and its failure is told', async () => {
  const done: string[] = [];
  const action: Kind['action'] = { key: 'ctrl+x', hint: 'ctrl+x done', run: async ({ session }) => (done.push(session), 'It is done.') };
  using it = open({ action });
  await pause(10);
  await it.press(CTRL_X!);
  assert.deepEqual(done, ['a']);
  assert.match(it.screen(), /It is done\./);
  using broken = open({ action: { ...action, run: async () => Promise.reject(new Error('disk full')) } });
  await pause(10);
  await broken.press(CTRL_X!);
  assert.match(broken.screen(), /disk full/);
});

test('nothing that goes wrong inside gets out of drawing and keys', async () => {
  using it = open({
    nothing: () => {
      throw new Error('nothing to say');
    },
    source: { find: async () => ({ rows: [], corpus: 0, matched: 0, notes: [] }) },
    refuse: () => {
      throw new Error('cannot check');
    },
  });
  await pause(20);
  assert.match(it.screen(), /cannot be drawn: nothing to say/);
  for (const width of [0, 1, 5, 30]) assert.ok(it.picker.render(width).every((line) => visibleWidth(line) <= width));
  using rows = open({
    refuse: () => {
      throw new Error('cannot check');
    },
  });
  await pause(10);
  await rows.press(ENTER!);
  assert.match(rows.screen(), /cannot check/);
  await rows.press(ENTER!, '\x1b[200~pasted\x1b[201~', '\x1b[999~', '漢');
  assert.match(rows.screen(), /pasted漢/);
});

test('a terminal of a few lines still has a picker', () => {
  using it = open({}, 3);
  assert.equal(it.picker.render(80).length, 8);
});

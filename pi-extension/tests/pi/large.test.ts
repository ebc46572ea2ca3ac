// Ten thousand sessions: usable while they are read for the first time, and quick to type in afterwards.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { KeybindingsManager, type TUI, TUI_KEYBINDINGS } from '@earendil-works/pi-tui';
import { Lookback } from 'lookback-node';
import { DEFAULTS } from '../../src/config/settings.ts';
import { history, nothing } from '../../src/picker/history.ts';
import { Picker } from '../../src/picker/overlay.ts';
import { Sandbox } from '../support/sandbox.ts';
import { writeSession } from '../support/sessions.ts';
import { noTerminal, TerminalPi } from '../support/terminal.ts';

const SESSIONS = 10_000;
let box: Sandbox;

before(() => {
  box = new Sandbox();
  for (let number = 0; number < SESSIONS; number += 1) {
    writeSession(box.sessions, {
      id: `0198c1f2-7a31-7d60-8b1e-3f5a${String(number).padStart(8, '0')}`,
      cwd: join(box.root, `folder-${number % 40}`),
      at: new Date(Date.UTC(2025, 0, 1) + number * 600_000),
      said: [
        { user: `where does heron ${number} stand in area ${number % 97}?` },
        { assistant: `The heron ${number} stands in the staging pond ${number % 53}, deploy ${number % 11}.` },
      ],
    });
  }
});
after(() => box[Symbol.dispose]());

test('the first use shows how far it is and can be used meanwhile', { skip: noTerminal ?? false }, async () => {
  using pi = new TerminalPi(box);
  await pi.until(/\bone\b/);
  await pi.command('/recall');
  const asked = Date.now();
  const first = await pi.until(/reading sessions [█░]+ [\d,]+ of 10,0\d\d|50 of 10,0\d\d sessions/);
  // An optimised build is through before a progress could be read.
  assert.ok(first.includes('reading sessions') || Date.now() - asked < 4_000, 'nothing told how far it was');
  pi.type('heron 17');
  const early = await pi.until(/> heron 17/);
  assert.match(early, /reading sessions|of [\d,]+ sessions/);
  await pi.until((screen) => /50 of 10,0\d\d sessions/.test(screen) && /where does heron 17 stand/.test(screen), 60_000);
  await pi.press('Escape');
  assert.equal(await pi.quit(), 0);
});

test('no key keeps Pi from drawing for longer than a frame', async (context) => {
  const lookback = await Lookback.open({ agentDir: box.agentDir, cwd: box.project, env: {} });
  await lookback.sync();
  const theme = { fg: (_: string, text: string) => text, bg: (_: string, text: string) => text, bold: (text: string) => text };
  let picker: Picker | undefined;
  let drawn = 0;
  let isDue = false;
  const draw = (): void => {
    isDue = false;
    drawn += picker?.render(112).length ?? 0;
  };
  // As Pi does: many wishes to be drawn are one drawing.
  const requestRender = (): void => {
    if (!isDue) setImmediate(draw);
    isDue = true;
  };
  const tui = { terminal: { rows: 40, columns: 120 }, requestRender } as unknown as TUI;
  picker = new Picker(tui, theme as never, new KeybindingsManager(TUI_KEYBINDINGS) as never, {
    title: 'Recall',
    source: history(lookback, box.project, DEFAULTS),
    query: '',
    scope: 'all',
    current: 'none',
    nothing,
    refuse: async () => undefined,
  }, () => {});

  // Time of this thread alone: what other processes take from it is no fault of the picker.
  const longest = { turn: 0 };
  let running = true;
  let last = process.threadCpuUsage();
  const turn = (): void => {
    const now = process.threadCpuUsage();
    longest.turn = Math.max(longest.turn, (now.user + now.system - last.user - last.system) / 1_000);
    last = now;
    if (running) setImmediate(turn);
  };
  const type = async (text: string): Promise<void> => {
    for (const letter of text) {
      picker.handleInput(letter);
      await pause(60);
    }
    for (const _ of text) picker.handleInput('\x7f');
    await pause(100);
  };
  await type('warm up');
  turn();
  longest.turn = 0;
  await type('heron 17 staging');
  await type('"staging pond" deploy');
  for (const key of ['\x1b[B', '\x1b[6~', '\x1b[6~', '\x1b[6~', '\t', '\t']) {
    picker.handleInput(key);
    await pause(60);
  }
  running = false;
  picker.dispose();

  const waits: number[] = [];
  for (const query of ['h', 'heron', 'heron 17', 'staging pon', '"staging pond"']) {
    const began = performance.now();
    const { sessionsMatched } = await lookback.search(query, { limit: 50, sync: false, typing: true });
    assert.ok(sessionsMatched > 0);
    waits.push(Math.round(performance.now() - began));
  }
  await lookback.close();
  context.diagnostic(`longest turn of the event loop ${longest.turn.toFixed(1)} ms; queries ${waits.join(', ')} ms`);
  assert.ok(drawn > 0);
  assert.ok(longest.turn < 16, `${longest.turn} ms`);
});

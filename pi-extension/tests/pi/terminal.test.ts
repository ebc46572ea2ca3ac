// The picker in a real Pi on a real terminal.

import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { PACKAGE, Sandbox } from '../support/sandbox.ts';
import { writeSession } from '../support/sessions.ts';
import { noTerminal, TerminalPi } from '../support/terminal.ts';

const skip = noTerminal ?? false;
const DRIVER = join(import.meta.dirname, '../support/driver.ts');
const id = (number: number): string => `0198c1f2-7a31-7d60-8b1e-3f5a90c4${String(number).padStart(4, '0')}`;

/** Sixty sessions of two folders; the newest has two branches. */
function zoo(box: Sandbox): { branches: string; first: string } {
  for (let number = 1; number < 60; number += 1) {
    writeSession(box.sessions, {
      id: id(number),
      cwd: number % 4 ? join(box.root, 'aviary') : box.project,
      name: `漢字 Bird 🐦 ${number}`,
      at: new Date(Date.UTC(2026, 2, 1, number)),
      said: [{ user: `where does the heron ${number} stand?` }, { assistant: `The heron ${number} stands in the staging pond.` }],
    });
  }
  const branches = writeSession(box.sessions, {
    id: id(60),
    cwd: join(box.root, 'aviary'),
    name: 'Branches',
    at: new Date(Date.UTC(2026, 2, 9)),
    said: [
      { id: 'root', user: 'shall we take ostrich or emu?' },
      { id: 'left', assistant: 'let us try the ostrich', after: 'root' },
      { id: 'right', assistant: 'rather the emu', after: 'root' },
    ],
  });
  return { branches, first: id(1) };
}

/** The frame is closed on every line: no wide character pushed a border aside. */
function framed(screen: string): string[] {
  const lines = screen.split('\n').filter((line) => /[│╭╰├]/.test(line));
  assert.ok(lines.length > 6, screen);
  return lines;
}

for (const tuiMode of ['fullscreen', 'regular']) {
  test(`open, type, move, change the scope, resume: ${tuiMode}`, { skip }, async () => {
    using box = new Sandbox({ settings: { tuiMode } });
    const { branches } = zoo(box);
    using pi = new TerminalPi(box, ['-e', DRIVER]);
    await pi.until(/\bone\b/);
    await pi.command('/recall');
    await pi.until('50 of 60 sessions');
    const opened = await pi.until(/user: shall we take ostrich.*assistant: rather the emu/);
    assert.match(opened, /▸ Branches/, 'the latest session is selected, and shows how it ended');
    for (const line of framed(opened)) assert.match(line, /[│╮╯┤]/);

    await pi.press('Tab');
    await pi.until(/14 of 14 sessions[^]*this folder/);
    await pi.press('Tab');
    await pi.until(/50 of 60 sessions[^]*all projects/);
    await pi.press('PageDown', 'PageDown', 'PageDown', 'PageDown', 'PageDown');
    await pi.until('60 of 60 sessions');
    pi.type('heron stag');
    await pi.until(/> heron stag[^]*▸ 漢字 Bird 🐦 59/u);
    await pi.press('Down', 'Down');
    await pi.until(/▸ 漢字 Bird 🐦 57[^]*assistant · active branch/u);
    await pi.press('Up', ...Array<string>('heron stag'.length).fill('BSpace'));
    pi.type('"try the ostrich"');
    const hit = await pi.until(/▸ ⑂ Branches[^]*abandoned branch/);
    assert.match(hit, /ctrl\+g resume at this message/);

    pi.resize(48, 16);
    const small = await pi.until((screen) => /▸ ⑂ Branches/.test(screen) && screen.split('\n').every((line) => line.length <= 48));
    framed(small);
    pi.resize(110, 34);
    await pi.until(/▸ ⑂ Branches[^]*ctrl\+g/);

    await pi.press('C-g');
    await pi.until((screen) => screen.includes('let us try the ostrich') && !screen.includes('rather the emu') && !screen.includes('╭─ Recall'));
    await pi.command('/drive leaf');
    await pi.until('leaf left');

    // As with /tree: at an answer the conversation goes on behind it, a message of the user is there to be sent anew.
    await pi.command('/recall "shall we take ostrich"');
    await pi.until(/▸ ● Branches[^]*user · active branch/);
    await pi.press('C-g');
    await pi.until((screen) => /^shall we take ostrich or emu\?/m.test(screen) && !screen.includes('╭─ Recall'));
    await pi.press('C-u');

    await pi.command('/recall emu');
    await pi.until(/▸ ● Branches/);
    await pi.press('Enter');
    await pi.until('This is the session you are in.');
    await pi.press('Escape');
    await pi.until((screen) => !screen.includes('╭─ Recall'));
    assert.equal(await pi.quit(), 0, readFileSync(branches, 'utf8').slice(0, 80));
  });
}

test('what cannot be resumed is explained, and Pi goes on', { skip }, async () => {
  using box = new Sandbox();
  const gone = writeSession(box.sessions, { id: id(1), cwd: join(box.root, 'gone'), name: 'Folder gone', said: [{ user: 'the gannet' }] });
  const refused = writeSession(box.sessions, { id: id(2), cwd: box.project, name: 'Refused', said: [{ user: 'the rook' }] });
  const vanished = writeSession(box.sessions, { id: id(3), cwd: box.project, name: 'Vanished', said: [{ user: 'the pelican' }] });
  using pi = new TerminalPi(box);
  await pi.until(/\bone\b/);
  await pi.command('/recall');
  await pi.until('3 of 3 sessions');
  rmSync(join(box.root, 'gone'), { recursive: true });
  rmSync(vanished);
  writeFileSync(refused, `\ufeff${readFileSync(refused, 'utf8')}`);
  for (const [word, title, reason] of [['pelican', 'Vanished', 'Its file is gone'], ['rook', 'Refused', 'Pi would refuse its file'], ['gannet', 'Folder gone', /Its folder .*gone is gone\. Enter again/]] as const) {
    pi.type(word);
    await pi.until(new RegExp(`> ${word}[^]*▸ ${title}`));
    await pi.press('Enter');
    await pi.until(reason);
    if (word !== 'gannet') await pi.press(...Array<string>(word.length).fill('BSpace'));
  }
  await pi.press('Enter');
  await pi.until((screen) => /Continue|Fork/.test(screen) && !screen.includes('╭─ Recall'));
  await pi.press('Escape');
  pi.type('still here');
  await pi.until('still here');
  assert.equal(pi.exitCode, undefined);
  assert.match(readFileSync(gone, 'utf8'), /gannet/);
});

test('text that attacks terminals is harmless in every view', { skip }, async () => {
  using box = new Sandbox({ script: [{ calls: [{ tool: 'recall', args: { action: 'read', session: '019b7903-a668' } }] }, 'done'] });
  cpSync(join(PACKAGE, '../tests/data/cases/24-hostile-text/sessions'), box.sessions, { recursive: true });
  using pi = new TerminalPi(box);
  await pi.until(/\bone\b/);
  await pi.command('/recall narwhal');
  const list = await pi.until(/name red second line/);
  framed(list);
  for (const word of ['colour', 'bell', 'key']) {
    await pi.press('C-u');
    pi.type(`narwhal ${word}`);
    await pi.until(new RegExp(`> narwhal ${word}[^]*${word}`));
    await pause(150);
    const screen = pi.screen({ colours: true });
    assert.doesNotMatch(screen, /\u202e|\x07|\x08|\x9b|owned|ZWNobyBoaQ|\[31m.*red/);
    framed(pi.screen());
  }
  await pi.press('Escape');
  pi.type('read it');
  await pi.press('Enter');
  await pi.until(/Recall read 019b7903-a668[^]*messages[^]*done/);
  await pi.press('C-o');
  await pi.until(/past_transcript/);
  assert.doesNotMatch(pi.screen({ colours: true }), /\u202e|owned|ZWNobyBoaQ/);
  assert.equal(await pi.quit(), 0);
});

test('Enter after /recall opens the picker, and completions are offered from the first letter on', { skip }, async () => {
  using box = new Sandbox();
  zoo(box);
  box.write(join(box.agentDir, 'pi-recall/tags-v1.json'), { version: 1, sessions: { [id(1)]: { manualTags: ['codebase', 'rust'], autoTags: [], suppressedTags: [], updatedAt: 1 } } });
  using pi = new TerminalPi(box);
  await pi.until(/\bone\b/);
  pi.type('/recall');
  await pause(300);
  await pi.press('Enter');
  const first = await pi.until((screen) => screen.includes('╭─ Recall') || /\/recall *$/m.test(screen));
  // Pi may complete the command with the first Enter; the second one runs it.
  if (!first.includes('╭─ Recall')) await pi.press('Enter');
  await pi.until('50 of 60 sessions');
  await pi.press('Escape');
  await pi.until((screen) => !screen.includes('╭─ Recall'));
  pi.type('/recall un');
  await pi.until(/untag[^]*unread/);
  await pi.press('Escape', 'C-u');
  pi.type('/recall #co');
  await pi.until('#codebase');
  await pi.press('Escape', 'C-u');
  await pi.command('/recall #rust heron');
  const tagged = await pi.until('1 of 1 session');
  assert.match(tagged, /Bird 🐦 1 /u);
  await pi.press('Escape');
  assert.equal(await pi.quit(), 0);
});

test('waiting sessions are listed, resumed, and marked as done', { skip }, async () => {
  using box = new Sandbox();
  zoo(box);
  writeSession(box.sessions, { id: id(70), cwd: box.project, name: 'Open question', said: [{ user: 'does anybody hear the bittern?' }] });
  using pi = new TerminalPi(box);
  await pi.until(/\bone\b/);
  await pi.command('/recall unread');
  await pi.until(/Unread[^]*▸ Open question[^]*does anybody hear/);
  await pi.press('C-x');
  await pi.until(/is done until you write in it again[^]*/);
  await pi.until('No session waits for an answer in this folder. Tab looks in all projects.');
  await pi.press('Escape');
  assert.equal(await pi.quit(), 0);
});

test('the progress of autotag can be ended with Escape', { skip }, async () => {
  using box = new Sandbox({ script: [{ wait: 60_000, text: '["a1","b2","c3"]' }] });
  writeSession(box.sessions, { id: id(1), cwd: box.project, said: [{ user: 'the gannet' }, { assistant: 'yes' }] });
  using pi = new TerminalPi(box);
  await pi.until(/\bone\b/);
  await pi.command('/recall autotag --all-untagged');
  await pi.until('Find tags for 1 session?');
  await pi.press('Enter');
  await pi.until(/Asking script\/one for tags/);
  await pi.press('Escape');
  await pi.until(/stopped: 0 of 1 session tagged/);
  assert.equal(await pi.quit(), 0);
});

// Pi 0.80, from before much of what the extension uses was there.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { RpcPi } from '../support/rpc.ts';
import { PACKAGE, Sandbox } from '../support/sandbox.ts';
import { writeSession } from '../support/sessions.ts';
import { noTerminal, TerminalPi } from '../support/terminal.ts';

const OLD = join(PACKAGE, 'node_modules/pi-0-80/dist/cli.js');
const walrus = (box: Sandbox): string =>
  writeSession(box.sessions, { id: '0198c1f2-7a31-7d60-8b1e-3f5a90c4d2e7', cwd: join(box.root, 'zoo'), name: 'Walrus', said: [{ user: 'the walrus' }, { assistant: 'is old' }] });
const old = (): Sandbox => {
  const box = new Sandbox({ bare: true, pi: OLD, settings: { defaultProvider: undefined, defaultModel: undefined } });
  box.start.push('-e', PACKAGE);
  return box;
};

/** This Pi answers before a command is done, so what it tells is waited for. */
async function told(pi: RpcPi, command: string): Promise<string> {
  const from = pi.records.length;
  await pi.ask({ type: 'prompt', message: command });
  return String((await pi.until(({ method }) => method === 'notify', from)).message);
}

test('Pi 0.80 runs its commands and resumes with it; what it cannot do says so', async () => {
  using box = old();
  const path = walrus(box);
  await using pi = new RpcPi(box);
  assert.match(await told(pi, '/recall status'), /^sessions +1 file/);
  assert.equal(await told(pi, '/recall tag #old'), 'Tags of this session: #old');
  assert.match(await told(pi, '/recall autotag'), /too old for autotag/);
  const resumed = new Promise<void>((resolve) => {
    pi.react = ({ options }) => {
      if (options[0] === 'Resume the session') setTimeout(resolve, 2_000);
      return { value: options[0] };
    };
  });
  await pi.ask({ type: 'prompt', message: '/recall walrus' });
  await resumed;
  assert.equal((await pi.session()).sessionFile, path);
});

test('Pi 0.80 shows the picker', { skip: noTerminal ?? false }, async () => {
  using box = old();
  walrus(box);
  using pi = new TerminalPi(box);
  await pi.until('project');
  await pi.command('/recall walrus');
  await pi.until(/1 of \d sessions?[^]*▸ Walrus/);
  await pi.press('Enter');
  await pi.until((screen) => screen.includes('is old') && !screen.includes('╭─ Recall'));
});

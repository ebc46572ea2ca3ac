// Installs the installed extension into a real Pi with nothing in its agent folder, and asks it:
// node pi.mjs SESSIONS REPOSITORY QUERY

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

const [sessions, repository, query] = process.argv.slice(2);
const support = (name) => import(join(repository, 'pi-extension/tests/support', name));
const { Sandbox, lastText } = await support('sandbox.ts');
const { RpcPi } = await support('rpc.ts');

const script = [{ calls: [{ tool: 'recall', args: { action: 'search', query } }] }, 'done'];
const sandbox = new Sandbox({ bare: true, script });
try {
  cpSync(sessions, sandbox.sessions, { recursive: true });
  const installed = join(import.meta.dirname, 'node_modules/pi-lookback');
  const { code, stdout, stderr } = await sandbox.run(['install', installed]);
  assert.equal(code, 0, stdout + stderr);
  const model = join(repository, 'pi-extension/tests/support/scripted-model.ts');
  const pi = new RpcPi(sandbox, ['--model', 'script/one', '-e', model]);
  const { commands } = await pi.ask({ type: 'get_commands' });
  assert.ok(commands.some(({ name }) => name === 'recall'), 'Pi has no command /recall');
  await pi.say('What was that about?');
  const answer = lastText(sandbox.requests().at(-1));
  assert.match(answer, /\d{4}-\d\d-\d\d/, `the model read no hit:\n${answer}`);
  await pi.close();
  console.log(answer.split('\n').slice(0, 3).join('\n'));
} finally {
  sandbox[Symbol.dispose]();
}

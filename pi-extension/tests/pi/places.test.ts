// A real Pi with sessions in other places, under other circumstances, and through all that ends a session.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RpcPi } from '../support/rpc.ts';
import { lastText, NODE, PACKAGE, Sandbox } from '../support/sandbox.ts';
import { writeSession } from '../support/sessions.ts';

const DRIVER = join(import.meta.dirname, '../support/driver.ts');
const search = (query: string) => ({ calls: [{ tool: 'recall', args: { action: 'search', query } }] });
const plan = (number: number, cwd: string, word: string) => ({
  id: `0198c1f2-7a31-7d60-8b1e-3f5a90c4d2${number}`,
  cwd,
  name: word,
  said: [{ user: `the ${word} is here` }, { assistant: `so it is` }],
});

const PLACES: [what: string, options: (root: string) => { settings?: object; env?: Record<string, string>; args?: string[] }, folder: string][] = [
  ['given on the command line', (root) => ({ args: ['--session-dir', join(root, 'mine')] }), 'mine'],
  ['given in the environment', (root) => ({ env: { PI_CODING_AGENT_SESSION_DIR: join(root, 'mine') } }), 'mine'],
  ['given in the settings, relative to the project', () => ({ settings: { sessionDir: 'kept/here' } }), 'project/kept/here'],
];
for (const [what, options, folder] of PLACES) {
  test(`sessions in a folder ${what}`, async () => {
    using box = new Sandbox({ script: [search('narwhal'), 'done'] });
    const { settings, env = {}, args = [] } = options(box.root);
    Object.assign(box.env, env);
    if (settings) box.write(join(box.agentDir, 'settings.json'), { quietStartup: true, cacheWarming: 'off', ...settings });
    const path = writeSession(join(box.root, folder), plan(10, join(box.root, 'else'), 'narwhal'), { flat: true });
    writeSession(box.sessions, plan(11, join(box.root, 'old'), 'earlier narwhal'));
    await using pi = new RpcPi(box, args);
    await pi.say('find it');
    assert.match(lastText(box.requests()[1]), /in 2 matching sessions/, 'those of the default folder are history too');
    await pi.told('/recall tag #mine');
    assert.match(await pi.told('/recall tags'), /#mine/);
    pi.react = ({ options: offered }) => ({ value: offered.find((option: string) => option.includes('narwhal · ') || option.startsWith('Resume the')) });
    await pi.told('/recall narwhal cwd:else');
    assert.equal(join(box.project, (await pi.session()).sessionFile ?? '').endsWith(path) || (await pi.session()).sessionFile === path, true);
  });
}

test('a session that is not kept can search, and has no tags', async () => {
  using box = new Sandbox({ script: [search('narwhal'), 'done'] });
  writeSession(box.sessions, plan(10, box.project, 'narwhal'));
  await using pi = new RpcPi(box, ['--no-session']);
  await pi.say('find the narwhal');
  assert.match(lastText(box.requests()[1]), /in 1 matching session/);
  assert.match(await pi.told('/recall tag #x'), /not kept/);
  assert.match(await pi.told('/recall tags'), /no tags/);
});

test('everything works on after new sessions, switches, forks and reloads', async () => {
  using box = new Sandbox({ script: ['one', 'two', search('narwhal'), 'three'] });
  const other = writeSession(box.sessions, plan(10, join(box.root, 'elsewhere'), 'narwhal'));
  await using pi = new RpcPi(box, ['-e', DRIVER]);
  const works = async (when: string): Promise<void> => {
    assert.match(await pi.told('/recall status'), /^sessions /, when);
    assert.match(await pi.told('/drive tools'), /\brecall\b/, when);
  };
  await pi.say('first');
  await works('at start');
  await pi.ask({ type: 'new_session' });
  await works('in a new session');
  await pi.say('second');
  await pi.ask({ type: 'switch_session', sessionPath: other });
  await works('in another folder');
  for (let times = 0; times < 3; times += 1) {
    await pi.say('/drive reload');
    await works(`after ${times + 1} reloads`);
  }
  const { messages } = await pi.ask({ type: 'get_fork_messages' });
  await pi.ask({ type: 'fork', entryId: messages[0].entryId });
  await works('in a fork');
  await pi.say('find it');
  assert.match(lastText(box.requests().at(-1)), /in 1 matching session/);
  assert.equal(await pi.close(), 0);
  assert.deepEqual(pi.records.filter(({ type }) => type === 'extension_error'), []);
});

test('without the native part Pi runs, and /recall explains', async () => {
  using box = new Sandbox({ script: [search('x'), 'done'], bare: true });
  const copy = join(box.root, 'package');
  for (const part of ['package.json', 'src']) cpSync(join(PACKAGE, part), join(copy, part), { recursive: true });
  box.start.push('--model', 'script/one', '-e', join(PACKAGE, 'tests/support/scripted-model.ts'), '-e', copy);
  await using pi = new RpcPi(box);
  const told = await pi.told('/recall walrus');
  assert.match(told, /^Lookback: The search engine of Lookback is not installed: .*lookback-node is missing.*pi install/);
  for (const command of ['/recall tags', '/recall status', '/recall-reindex', '/recall unread']) assert.match(await pi.told(command), /not installed/);
  await pi.say('find');
  assert.match(lastText(box.requests()[1]), /not installed/);
  assert.equal(await pi.close(), 0);
});

test('loading it starts nothing: no folder, no file, no native code', async () => {
  using box = new Sandbox({ script: ['hello'] });
  const { code } = await box.run(['-p', 'hello']);
  assert.equal(code, 0);
  for (const made of ['cache', 'pi-recall']) assert.equal(existsSync(join(box.agentDir, made)), false, made);
});

test('settings that are no JSON are told, and Pi starts', async () => {
  using box = new Sandbox({ config: '{"tools": [', script: ['hello'] });
  await using pi = new RpcPi(box);
  const warning = await pi.until(({ method }) => method === 'notify');
  assert.match(warning.message, /config\.json: it cannot be read, so the defaults are used/);
  assert.equal(warning.notifyType, 'warning');
});

test('searching the files alone makes no index', async () => {
  using box = new Sandbox({ config: { engine: 'scan' }, script: [search('narwhal'), 'done'] });
  writeSession(box.sessions, plan(10, box.project, 'narwhal'));
  await using pi = new RpcPi(box);
  const offered: string[] = [];
  pi.react = ({ options }) => (offered.push(options[0]), { cancelled: true });
  await pi.told('/recall narwhal');
  await pi.told('/recall');
  assert.equal(offered.filter((row) => /^1\. narwhal/.test(row)).length, 2);
  await pi.say('find it');
  assert.match(lastText(box.requests()[1]), /in 1 matching session/);
  assert.equal(existsSync(join(box.agentDir, 'cache')), false);
});

test('it installs, from a checkout and as it is published', async () => {
  using box = new Sandbox({ bare: true });
  const published = join(box.root, 'published');
  assert.equal(spawnSync(NODE, [join(PACKAGE, 'scripts/package.ts'), published]).status, 0);
  mkdirSync(join(published, 'node_modules'));
  symlinkSync(join(PACKAGE, '../crates/node-binding'), join(published, 'node_modules/lookback-node'));
  for (const [folder, remove] of [[PACKAGE, true], [published, false]] as const) {
    assert.equal((await box.run(['install', folder])).code, 0);
    await using pi = new RpcPi(box);
    const { commands } = await pi.ask({ type: 'get_commands' });
    const [{ sourceInfo }] = commands.filter(({ name }: { name: string }) => name === 'recall');
    assert.ok(sourceInfo.path.startsWith(folder), sourceInfo.path);
    assert.match(await pi.told('/recall status'), /^sessions /);
    if (remove) assert.equal((await box.run(['remove', folder])).code, 0);
  }
});

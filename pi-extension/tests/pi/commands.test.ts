// `/recall` and its subcommands in a real Pi without a terminal: dialogs over RPC, plain text in print mode.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RpcPi } from '../support/rpc.ts';
import { Sandbox } from '../support/sandbox.ts';
import { writeSession } from '../support/sessions.ts';

const DRIVER = join(import.meta.dirname, '../support/driver.ts');
const id = (number: number): string => `0198c1f2-7a31-7d60-8b1e-3f5a90c4d2${String(number).padStart(2, '0')}`;

/** Sessions to choose from: two branches, a folder that is gone, one that Pi refuses, and plain ones. */
function zoo(box: Sandbox) {
  const session = (number: number, name: string, said: Parameters<typeof writeSession>[1]['said'], folder = `folder-${number}`) =>
    writeSession(box.sessions, { id: id(number), cwd: join(box.root, folder), name, said, at: new Date(Date.UTC(2026, 2, number)) });
  const branches = session(1, 'Branches', [
    { id: 'root', user: 'shall we take ostrich or emu?' },
    { id: 'left', assistant: 'let us try the ostrich', after: 'root' },
    { id: 'then', user: 'fine, ostrich it is', after: 'left' },
    { id: 'right', assistant: 'rather the emu', after: 'root' },
  ]);
  const plain = session(2, 'Plain', [{ user: 'a walrus in plain sight' }, { assistant: 'seen' }]);
  const gone = session(3, 'Gone', [{ user: 'the gannet is gone' }, { assistant: 'bye' }], 'gone');
  rmSync(join(box.root, 'gone'), { recursive: true });
  const refused = session(4, 'Refused', [{ user: 'the refused rook' }, { assistant: 'no' }]);
  const waits = session(5, 'Waits', [{ user: 'the pelican waits for an answer' }]);
  return { branches, plain, gone, refused, waits };
}

test('over RPC sessions are chosen in dialogs and resumed, at the message on its branch too', async () => {
  using box = new Sandbox();
  const files = zoo(box);
  await using pi = new RpcPi(box, ['-e', DRIVER]);
  const asked: string[][] = [];
  const answers: string[] = [];
  pi.react = ({ method, options = [] }) => {
    asked.push(options);
    const wish = answers.shift() ?? '';
    const value = (options as string[]).find((option) => option.includes(wish));
    return method === 'select' && wish && value ? { value } : { cancelled: true };
  };

  answers.push('Plain', 'Resume the session');
  assert.equal(await pi.told('/recall walrus sight'), '');
  assert.equal((await pi.session()).sessionFile, files.plain);
  assert.match(asked[0]?.[0] ?? '', /^1\. Plain · .*folder-2$/);

  answers.push('this session', 'Resume the session');
  assert.match(await pi.told('/recall walrus sight'), /This is the session you are in/);

  answers.push('Branches · ', 'at the message');
  await pi.told('/recall "try the ostrich"');
  assert.match(asked.at(-2)?.[0] ?? '', /abandoned branch/);
  assert.equal((await pi.session()).sessionFile, files.branches);
  assert.equal(await pi.told('/drive leaf'), 'leaf left');

  answers.push('Branches · ', 'at the message');
  await pi.told('/recall "rather the emu"');
  assert.equal(await pi.told('/drive leaf'), 'leaf right', 'inside of the session that is open');

  for (const [query, word, reason] of [['gannet', 'Gone', /Its folder .*gone is gone/], ['rook', 'Refused', /Pi would refuse its file/], ['pelican', 'Waits', /Its file is gone/]] as const) {
    answers.push(word, 'Resume the session');
    pi.react = wrap(pi.react, () => {
      if (word === 'Refused') writeFileSync(files.refused, `\ufeff${readFileSync(files.refused, 'utf8')}`);
      if (word === 'Waits') rmSync(files.waits, { force: true });
    });
    assert.match(await pi.told(`/recall ${query}`), reason);
    assert.equal((await pi.session()).sessionFile, files.branches, 'nothing was switched');
  }
  assert.equal(existsSync(files.waits), false, 'and nothing was made');
  assert.match(await pi.told('/recall quaggaquagga'), /Nothing found/);
  assert.equal(await pi.close(), 0);
});

/** Something happens while a dialog is open. */
function wrap(react: RpcPi['react'], happen: () => void): RpcPi['react'] {
  return (dialog) => {
    happen();
    return react(dialog);
  };
}

test('tags of the open session, before and after it has a file', async () => {
  using box = new Sandbox({ script: ['hello back'] });
  await using pi = new RpcPi(box);
  assert.equal(existsSync((await pi.session()).sessionFile ?? ''), false);
  assert.equal(await pi.told('/recall tag #Rust "borrow" #ci'), 'Tags of this session: #rust #borrow #ci');
  assert.equal(await pi.told('/recall untag ci'), 'Tags of this session: #rust #borrow');
  await pi.say('hello');
  assert.match(await pi.told('/recall tags'), /^Tags of this session: #rust #borrow\nAll tags: #borrow 1, #rust 1$/);
  assert.match(await pi.told('/recall tag'), /Say which tags/);
  assert.match(await pi.told('/recall tag 😀'), /tag/i);
  const { sessionId } = await pi.session();
  const stored = JSON.parse(readFileSync(join(box.agentDir, 'pi-recall/tags-v1.json'), 'utf8'));
  assert.deepEqual(stored.sessions[sessionId].manualTags, ['rust', 'borrow']);
  await pi.ask({ type: 'new_session' });
  assert.match(await pi.told('/recall tags'), /This session has no tags/);
});

test('tags are found by a model: asked first, saved at once, never over those of the user', async () => {
  const tags = (...names: string[]) => JSON.stringify(names);
  using box = new Sandbox({
    config: { autoTags: { model: 'script/tagger', minimum: 3, maximum: 4 } },
    script: ['hi', tags('one', 'two', 'three'), 'I am not sure.', tags('four', 'five', 'six'), { error: 'overloaded' }, 'no', 'no'],
  });
  await using pi = new RpcPi(box);
  await pi.say('hello');
  const questions: string[] = [];
  let answer = false;
  pi.react = ({ title, message }) => (questions.push(`${title} ${message}`), { confirmed: answer });
  assert.equal(await pi.told('/recall autotag'), '');
  assert.equal(box.requests().length, 1, 'a no is a no');
  assert.match(questions[0] ?? '', /Find tags for this session\? An excerpt .* goes to script\/tagger/);

  answer = true;
  await pi.told('/recall tag #two');
  await pi.told('/recall tag #three');
  await pi.told('/recall untag #three');
  assert.equal(await pi.told('/recall autotag'), 'Tags of this session: #two #one (generated)');
  assert.equal(box.requests().at(-1)?.model, 'tagger');

  for (const number of [1, 2, 3]) writeSession(box.sessions, { id: id(number), cwd: box.project, name: `S${number}`, said: [{ user: `about ${number}` }, { assistant: 'yes' }], at: new Date(Date.UTC(2026, 1, 9 - number)) });
  const told = await pi.told('/recall autotag --all-untagged');
  assert.match(questions.at(-1) ?? '', /Find tags for 3 sessions\? .* script\/tagger/);
  assert.match(told, /1 of 3 sessions tagged, 2 failed:/);
  assert.match(told, /S2: the model gave no answer: overloaded/);
  assert.match(told, /S3: the model/);
  assert.equal(box.requests().length, 1 + 1 + 2 + 1 + 2, 'a useless answer is asked for once more, an error is not');
  const stored = JSON.parse(readFileSync(join(box.agentDir, 'pi-recall/tags-v1.json'), 'utf8')).sessions;
  assert.deepEqual(stored[id(1)].autoTags, ['four', 'five', 'six']);
  assert.match(await pi.told('/recall autotag --all'), /knows --all-untagged and --yes, not --all/);
});

test('status, help, unread and a rebuild tell what is to be told', async () => {
  using box = new Sandbox();
  zoo(box);
  await using pi = new RpcPi(box);
  assert.match(await pi.told('/recall status'), /^sessions +5 files.*\nindex +not there yet/);
  assert.match(await pi.told('/recall-reindex'), /built anew from 5 session files/);
  assert.match(await pi.told('/recall status'), /index +ready: 5 sessions/);
  assert.match(await pi.told('/recall help'), /\/recall tag .*\n[^]*ctrl\+g/);
  assert.match(await pi.told('/recall unread'), /No session waits for an answer in this folder/);
});

test('in print mode commands speak on the standard error, and nobody is asked', async () => {
  using box = new Sandbox();
  zoo(box);
  const found = await box.run(['-p', '/recall search walrus']);
  assert.deepEqual([found.code, found.stdout], [0, '']);
  assert.match(found.stderr, /Plain · [^\n]*\n +0198c1f2.*\n +a walrus in plain sight/);
  const tagged = await box.run(['-p', '--no-session', '/recall tag #x']);
  assert.match(tagged.stderr, /--no-session/);
  const asked = await box.run(['--mode', 'json', '/recall autotag --all-untagged']);
  assert.match(asked.stderr, /add --yes to agree/);
  assert.equal(box.requests().length, 0);
});

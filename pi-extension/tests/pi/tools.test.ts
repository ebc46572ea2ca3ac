// Tools in a real Pi: what models are offered, what they read, and what the session file keeps of it.

import assert from 'node:assert/strict';
import { cpSync, readdirSync as readdir, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RpcPi } from '../support/rpc.ts';
import { jsonLines, lastText, PACKAGE, Sandbox } from '../support/sandbox.ts';
import { writeSession } from '../support/sessions.ts';

const recall = (args: Record<string, unknown>) => ({ calls: [{ tool: 'recall', args }] });
const WALRUS = '0198c1f2-7a31-7d60-8b1e-3f5a90c4d2e7';
const CASES = join(PACKAGE, '../tests/data/cases');

test('a model finds and reads what was said, over RPC', async () => {
  using box = new Sandbox({
    script: [
      recall({ action: 'search', query: 'walrus backoff', limit: '5' }),
      recall({ action: 'around', session: WALRUS.slice(0, 8), entry: 'w2' }),
      recall({ action: 'read' }),
      recall({ query: 'walrus' }),
      'It was three times.',
    ],
  });
  writeSession(box.sessions, {
    id: WALRUS,
    cwd: join(box.project, 'zoo'),
    name: 'Walrus retries',
    said: [{ user: 'how often does the walrus retry?', id: 'w1' }, { assistant: 'With backoff, the walrus retries three times.', id: 'w2' }],
  });
  await using pi = new RpcPi(box);
  const records = await pi.say('how often did we retry?');

  const [first, found, around, wrong, invalid] = box.requests();
  assert.match(first?.system ?? '', /- recall: Search and read the user's past Pi sessions/);
  assert.match(first?.system ?? '', /Use recall when the user refers to earlier work/);
  assert.match(lastText(found), /hits 1-1 in 1 matching session/, 'a number in quotation marks is a number');
  assert.match(lastText(found), /0198c1f2 \[w2\] 2026-03-02 09:02 .* assistant\nWalrus retries\n\| With «backoff», the «walrus»/);
  assert.match(lastText(found), /<past_transcript [0-9a-f]+>/);
  assert.match(lastText(around), /how often does the walrus retry\?/);
  assert.match(lastText(wrong), /session/, 'an error says what to do');
  assert.equal(wrong?.messages.at(-1)?.isError, true);
  assert.match(lastText(invalid), /action/, 'Pi itself checks the arguments by the schema');

  const ends = records.filter(({ type }) => type === 'tool_execution_end');
  const stored = ends[0]?.result.details;
  assert.deepEqual(stored, { tool: 'recall', mode: 'search', returned: 1, total: 1, offset: 0, redacted: 0, found: [{ sessionId: WALRUS, entryId: 'w2' }] });
  assert.equal(await pi.close(), 0);
});

test('a search of ten hits costs a model less than 1,200 tokens, and the live conversation is not found again', async () => {
  using box = new Sandbox({ script: [recall({ action: 'search', query: 'walrus' }), 'done'] });
  for (let number = 0; number < 12; number += 1) {
    writeSession(box.sessions, {
      id: `0198c1f${number.toString(16)}-7a31-7d60-8b1e-3f5a90c4d2e7`,
      cwd: join(box.project, `folder-${number}`),
      said: [{ user: `walrus question ${number} `.repeat(30) }, { assistant: `walrus answer ${number}: ${'and some more words about it '.repeat(40)}` }],
    });
  }
  const { stdout } = await box.run(['-p', 'what about the walrus, walrus, walrus?']);
  assert.equal(stdout, 'done\n');
  const text = lastText(box.requests()[1]);
  assert.match(text, /hits 1-10 in 12 matching sessions/);
  assert.ok(text.length / 4 < 1_200, `${text.length / 4} tokens`);
  assert.doesNotMatch(text, /what about the walrus/);
});

test('text that attacks the reader stays inside of its frame, without secrets and control characters', async () => {
  using box = new Sandbox({ script: [recall({ action: 'search', query: 'narwhal', limit: 50, session: '019b7903-a668' }), recall({ action: 'read', session: '019b7903-a668' }), 'done'] });
  cpSync(join(CASES, '24-hostile-text/sessions'), box.sessions, { recursive: true });
  const { code } = await box.run(['-p', 'find the narwhal']);
  assert.equal(code, 0);
  for (const request of box.requests().slice(1)) {
    const text = lastText(request);
    assert.match(text, /narwhal/);
    assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    assert.doesNotMatch(text, /AKIAIOSFODNN7EXAMPLE|sk-ant-FAKE|ghp_FAKE|hunter2/);
    const end = /It ends at (<\/past_transcript [0-9a-f]+>)/.exec(text)?.[1] ?? 'no end';
    assert.equal(text.split(`\n${end}`).length, 2, 'the frame ends once');
    assert.doesNotMatch(text, /^(User|Assistant):/m);
  }
});

test('secrets are shown where the settings say so, and nowhere else', async () => {
  using box = new Sandbox({ config: { redact: false }, script: [recall({ action: 'read', session: '019b7903-a668' }), 'done'] });
  cpSync(join(CASES, '24-hostile-text/sessions'), box.sessions, { recursive: true });
  const { code } = await box.run(['-p', 'read it']);
  assert.equal(code, 0);
  assert.match(lastText(box.requests()[1]), /AKIAIOSFODNN7EXAMPLE/);
});

test('json mode has the whole answer, and the session file an outline beside it', async () => {
  using box = new Sandbox({ script: [recall({ action: 'list' }), 'done'] });
  writeSession(box.sessions, { id: WALRUS, cwd: box.project, said: [{ user: 'hello' }, { assistant: 'hi' }] });
  const { code, stdout } = await box.run(['--mode', 'json', 'list them']);
  assert.equal(code, 0);
  const records = jsonLines(stdout);
  const end = records.find(({ type }) => type === 'tool_execution_end');
  assert.equal(end?.isError, false);
  assert.match(end?.result.content[0].text, /recall list/);
  const file = records.find(({ type }) => type === 'session');
  const stored = readFileSync(join(box.sessions, sessionFile(box, file?.id)), 'utf8');
  const result = jsonLines(stored).find(({ message }) => message?.role === 'toolResult');
  assert.ok(JSON.stringify(result?.message.details).length < 1_000);
});

test('the settings choose the tools, and unknown ones are told once', async () => {
  using box = new Sandbox({
    config: { tools: ['session_search', 'search_memory', 'read_memory', 'session_recall_unread', 'made_up'], colour: 'red' },
    script: [{ calls: [{ tool: 'session_search', args: { query: 'walrus' } }] }, { calls: [{ tool: 'search_memory', args: { query: 'walrus' } }] }, { calls: [{ tool: 'session_recall_unread', args: { limit: 1 } }] }, 'done'],
  });
  writeSession(box.sessions, { id: WALRUS, cwd: join(box.project, 'zoo'), said: [{ user: 'the walrus' }, { assistant: 'is old' }] });
  writeSession(box.sessions, { id: WALRUS.replace('e7', 'e8'), cwd: box.project, said: [{ user: 'does a tern answer?' }] });
  await using pi = new RpcPi(box);
  await pi.say('search');
  const [offered, discovery, memory, waiting] = box.requests();
  assert.deepEqual(offered?.tools.slice(-4), ['session_search', 'search_memory', 'read_memory', 'session_recall_unread']);
  assert.match(lastText(discovery), /the «?walrus/);
  assert.match(lastText(memory), /\.jsonl:\d+ \| user: /);
  assert.match(lastText(waiting), /^session_recall_unread: 1 of 1 sessions? [^]*does a tern answer\?/);
  const told = pi.records.filter(({ method }) => method === 'notify').map(({ message }) => message);
  assert.equal(told.length, 1);
  assert.match(told[0], /config\.json: tools: there is no "made_up"; .*the key "colour", which means nothing/);
  await pi.ask({ type: 'new_session' });
  assert.equal(pi.records.filter(({ method }) => method === 'notify').length, 1, 'a new session does not tell it again');
});

function sessionFile(box: Sandbox, id: string): string {
  const folder = `--${box.project.slice(1).replaceAll('/', '-')}--`;
  return join(folder, readdir(join(box.sessions, folder)).find((name) => name.includes(id)) ?? 'none');
}

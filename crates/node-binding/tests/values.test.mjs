// What goes in and what comes out: units, dates, wrong types, unknown options, errors.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  CASES, Lookback, folder, locate, open, openCase, parseGeneratedTags, rejection, toolDefinitions, writeSession,
} from './support.mjs';

async function written(...messages) {
  const root = folder();
  const { id, file } = writeSession(root, 1, messages);
  return { id, file, root, lookback: await open({ sessions: [root] }) };
}

test('highlights count as JavaScript counts', async () => {
  const text = '👩‍👩‍👧 before: über 検索エンジン and needle🔥 at the end 👍🏽 检索';
  const { lookback } = await written(text);
  for (const word of ['needle', '検索', 'über', 'end', '检索']) {
    const { hits } = await lookback.search(word, { exact: true });
    const { text: shown, highlights } = hits[0].snippet;
    const marked = highlights.map(({ start, end }) => shown.slice(start, end)).join('');
    assert.ok(marked.includes(word), `${word}: ${marked}`);
    assert.ok(!marked.includes('before'), marked);
  }
});

test('times are dates, both ways', async () => {
  const { id, lookback } = await written('the question', 'the answer');
  const { hits } = await lookback.search('answer');
  assert.ok(hits[0].entry.timestamp instanceof Date);
  assert.equal(hits[0].entry.timestamp.toISOString(), '2026-03-01T00:01:02.000Z');
  assert.ok(hits[0].session.created instanceof Date);
  const since = (await lookback.search('answer', { scope: { since: new Date('2026-03-02') } })).hits;
  assert.deepEqual(since, []);
  const until = (await lookback.search('answer', { scope: { until: new Date('2026-03-02') } })).hits;
  assert.equal(until[0].session.id, id);
  assert.equal((await lookback.read(id)).messages[1].timestamp.getTime(), hits[0].entry.timestamp.getTime());
});

test('a scope narrows', async () => {
  const { id, lookback } = await written('needle of the user', 'needle of the model');
  const count = async (scope) => (await lookback.search('needle', { scope })).hits.length;
  assert.equal(await count({ cwd: '/home/dev/app' }), 1);
  assert.equal(await count({ cwd: '/elsewhere' }), 0);
  assert.equal(await count({ sessions: [] }), 0);
  assert.equal(await count({ withoutSessions: [id] }), 0);
  assert.equal(await count({ tags: ['none'] }), 0);
  assert.equal(await count({ branches: ['abandoned'] }), 0);
  assert.equal(await count({ live: { session: id, entries: ['e0000000', 'e0000001'] } }), 0);
  const { hits } = await lookback.search('needle', { scope: { roles: ['assistant'] } });
  assert.equal(hits[0].entry.role, 'assistant');
});

test('scores are taken apart when asked', async () => {
  const { lookback } = await written('needle');
  const { hits } = await lookback.search('needle', { explain: true, policy: 'recall' });
  assert.equal(typeof hits[0].explanation.value, 'number');
  assert.ok(['given', 'sum', 'product'].includes(hits[0].explanation.operation));
  assert.equal((await lookback.search('needle')).hits[0].explanation, undefined);
});

test('options that do not exist are refused by name', async () => {
  const lookback = await open();
  const calls = [
    ['limt', lookback.search('x', { limt: 3 })],
    ['Limit', lookback.search('x', { Limit: 3 })],
    ['scop', lookback.search('x', { scope: { scop: 1 } })],
    ['agent_dir', Lookback.open({ agent_dir: '/' })],
    ['colour', locate({ colour: 1 })],
    ['wait_ms', lookback.sync({ wait_ms: 1 })],
    ['limit', lookback.tags({ limit: 1 })],
    ['query', lookback.tool('recall', {}, { query: 'x' })],
    ['constructor', lookback.list({ constructor: 1 })],
  ];
  for (const [name, call] of calls) {
    const error = await rejection(call);
    assert.ok(error instanceof TypeError, name);
    assert.deepEqual([error.code, error.option], ['unknown-option', name]);
    assert.match(error.message, new RegExp(`\`${name}\``));
  }
});

test('values of the wrong kind are refused with their place', async () => {
  const lookback = await open();
  const calls = [
    [lookback.search(), 'query must be a string, not undefined'],
    [lookback.search(7), 'query must be a string, not 7'],
    [lookback.search(null), 'query must be a string, not null'],
    [lookback.search(['x']), 'query must be a string, not an array'],
    [lookback.search('x', 'y'), 'options must be an object, not a string'],
    [lookback.search('x', []), 'options must be an object, not an array'],
    [lookback.search('x', { limit: -1 }), 'options.limit must be a whole number from 0 on, not -1'],
    [lookback.search('x', { limit: 1.5 }), 'options.limit must be a whole number from 0 on, not 1.5'],
    [lookback.search('x', { limit: NaN }), 'options.limit must be a whole number from 0 on, not NaN'],
    [lookback.search('x', { limit: 2 ** 60 }), 'options.limit must be a whole number from 0 on, not 1152921504606847000'],
    [lookback.search('x', { limit: '5' }), 'options.limit must be a whole number from 0 on, not a string'],
    [lookback.search('x', { limit: 5n }), 'options.limit must be a whole number from 0 on, not a bigint'],
    [lookback.search('x', { exact: 1 }), 'options.exact must be true or false, not 1'],
    [lookback.search('x', { now: 5 }), 'options.now must be a valid Date, not 5'],
    [lookback.search('x', { now: new Date(NaN) }), 'options.now must be a valid Date, not a Date'],
    [lookback.search('x', { scope: { sessions: 'id' } }), 'options.scope.sessions must be an array, not a string'],
    [lookback.search('x', { scope: { sessions: ['a', 1] } }), 'options.scope.sessions[1] must be a string, not 1'],
    [lookback.search('x', { scope: { live: 1 } }), 'options.scope.live must be an object, not 1'],
    [lookback.search('x', { signal: {} }), 'options.signal must be an AbortSignal, not an object'],
    [lookback.search('x', { signal: 1 }), 'options.signal must be an AbortSignal, not 1'],
    [lookback.sync({ onProgress: 'loud' }), 'options.onProgress must be a function, not a string'],
    [lookback.tag('x', '#a'), 'tags must be an array, not a string'],
    [lookback.tag('x', [Symbol('a')]), 'tags[0] must be a string, not a symbol'],
    [lookback.read({}), 'session must be a string, not an object'],
    [Lookback.open(5), 'options must be an object, not 5'],
    [Lookback.open({ sessions: '/x' }), 'options.sessions must be an array, not a string'],
    [Lookback.open({ env: 3 }), 'options.env must be an object, not 3'],
  ];
  for (const [call, message] of calls) {
    const error = await rejection(call);
    assert.ok(error instanceof TypeError, message);
    assert.deepEqual([error.name, error.code, error.message], ['TypeError', 'invalid-type', message]);
  }
  assert.throws(() => parseGeneratedTags(5), { code: 'invalid-type' });
});

test('null and undefined mean: not given', async () => {
  const lookback = await open();
  const reply = await lookback.search('x', { limit: null, scope: undefined, signal: null, now: undefined });
  assert.deepEqual(reply.hits, []);
  await lookback.search('x', null);
});

test('what a getter throws is what the caller gets', async () => {
  const lookback = await open();
  const mine = new RangeError('mine');
  const options = { get limit() { throw mine; } };
  assert.equal(await rejection(lookback.search('x', options)), mine);
  const odd = new Proxy({}, { ownKeys() { throw mine; } });
  assert.equal(await rejection(lookback.search('x', odd)), mine);
  assert.deepEqual((await lookback.search('x')).hits, [], 'nothing is left pending');
});

test('errors have a code, a name and a sentence', async () => {
  const { id, lookback, root } = await written('needle');
  const other = writeSession(root, 2, ['second']);
  await lookback.sync();
  const calls = [
    ['session-not-found', () => lookback.read('ffff')],
    ['ambiguous-session', () => lookback.read('0000')],
    ['outside-roots', () => lookback.read('/etc/hosts.jsonl')],
    ['bad-request', () => lookback.read('')],
    ['bad-request', () => lookback.read('a\0b')],
    ['entry-not-found', () => lookback.read(id, { around: 'nope' })],
    ['bad-request', () => lookback.search('x', { policy: 'best' })],
    ['bad-request', () => lookback.search('x', { engine: 'grep' })],
    ['bad-request', () => lookback.search('x', { scope: { roles: ['king'] } })],
    ['bad-request', () => lookback.unread({ states: ['asleep'] })],
    ['invalid-tag', () => lookback.tag(other.id, ['!!'])],
    ['bad-parameters', () => lookback.tool('recall', { action: 'dance' })],
    ['unknown-tool', () => lookback.tool('dance', {})],
    ['bad-request', () => Lookback.open({ sessions: ['/a\0b'] })],
  ];
  for (const [code, call] of calls) {
    const error = await rejection(call());
    assert.ok(error instanceof Error);
    assert.deepEqual([error.code.replace('_', '-'), error.name], [code, 'LookbackError'], error.message);
    assert.ok(error.message.length > 10, error.message);
  }
});

test('hostile strings go through every door', async () => {
  const lookback = await openCase('24-hostile-text');
  await lookback.sync();
  for (const text of ['\0', '\ud800', '../../etc/passwd', '\u001b[31m', 'x'.repeat(1 << 20), '__proto__', '/', '//', '.jsonl']) {
    const calls = [
      lookback.read(text), lookback.tree(text), lookback.inspect(text), lookback.tagsOf(text), lookback.tag(text, [text]),
      lookback.untag(text, [text]), lookback.setGeneratedTags(text, [text]), lookback.markDone(text), lookback.taggingPrompt(text),
      lookback.search(text, { scope: { cwd: text, tags: [text], sessions: [text], live: { session: text, entries: [text] } } }),
      lookback.list({ cwd: text }), lookback.unread({ query: text.slice(0, 100) }), lookback.unread({ cwd: text }),
      lookback.tool(text, {}), lookback.tool('recall', { action: 'read', session: text }), lookback.tool('recall', { [text]: text }),
    ];
    for (const end of await Promise.allSettled(calls)) {
      if (end.status === 'rejected') assert.equal(typeof end.reason.code, 'string', end.reason);
    }
  }
  assert.equal({}.polluted, undefined);
});

test('parameters of a tool can be anything, but not endless', async () => {
  const lookback = await open();
  const circle = {};
  circle.circle = circle;
  const deep = JSON.parse('['.repeat(100) + ']'.repeat(100));
  let wide = ['x'];
  for (let step = 0; step < 40; step += 1) wide = [wide, wide];
  for (const parameters of [circle, deep, wide, new Array(2 ** 32 - 1), { list: new Array(2 ** 31) }]) {
    const error = await rejection(lookback.tool('recall', parameters));
    assert.equal(error.code, 'invalid-type');
    assert.match(error.message, /too deep or too large/);
  }
  for (const parameters of [null, undefined, 5, 'text', [], { action: 1n }, { action: () => 1 }, new Map(), { action: '\ud800' }]) {
    assert.equal(typeof (await rejection(lookback.tool('recall', parameters))).code, 'string');
  }
});

test('folders are found as Pi finds them', async () => {
  const home = folder();
  const agent = path.join(home, '.pi/agent');
  const given = { home, cwd: home, env: {} };
  assert.deepEqual(await locate(given), {
    agentDir: agent,
    roots: [path.join(agent, 'sessions')],
    cache: path.join(agent, 'cache/lookback'),
    data: path.join(agent, 'pi-recall'),
    warnings: [],
  });
  const env = { PI_CODING_AGENT_DIR: '~/other', PI_RECALL_DATA_DIR: '/data', PI_RECALL_CACHE_DIR: '/cache', PATH: '/bin' };
  const found = await locate({ ...given, env });
  assert.deepEqual([found.agentDir, found.data, found.cache], [path.join(home, 'other'), '/data', '/cache']);
  fs.mkdirSync(agent, { recursive: true });
  fs.writeFileSync(path.join(agent, 'settings.json'), '{oops');
  assert.match((await locate(given)).warnings[0], /settings\.json/);
  const own = await locate();
  assert.ok(path.isAbsolute(own.agentDir), 'environment, home and current folder are those of the process');
  const lookback = await Lookback.open({ ...given, sessions: ['a'] });
  assert.deepEqual(lookback.locations.roots, [path.join(home, 'a')]);
});

test('tags by hand, generated, taken away, and what lies on disk', async () => {
  const { id, lookback } = await written('needle');
  const tagged = await lookback.tag(id, ['#Rust', 'ci']);
  assert.deepEqual([tagged.tags, tagged.session], [['rust', 'ci'], id]);
  assert.ok(tagged.updated instanceof Date);
  const generated = await lookback.setGeneratedTags(id.slice(0, 30), ['search', 'rust']);
  assert.deepEqual([generated.manual, generated.generated], [['rust', 'ci'], ['search']]);
  const without = await lookback.untag(id, ['search']);
  assert.deepEqual([without.tags, without.suppressed], [['rust', 'ci'], ['search']]);
  assert.deepEqual((await lookback.setGeneratedTags(id, ['search'])).generated, []);
  assert.deepEqual(await lookback.tags(), {
    tags: [{ tag: 'ci', sessions: 1 }, { tag: 'rust', sessions: 1 }],
    notices: [],
  });
  assert.deepEqual((await lookback.search('#rust')).hits.map((hit) => hit.session.tags), [['rust', 'ci']]);
  const { tagsFile } = await lookback.status();
  assert.deepEqual(JSON.parse(fs.readFileSync(tagsFile)).sessions[id].manualTags, ['rust', 'ci']);
});

test('the open session can be tagged before it has a file', async () => {
  const { lookback } = await written('needle');
  const id = '00000000-0000-4000-8000-0000000000ff';
  assert.equal((await rejection(lookback.tag(id, ['early']))).code, 'session-not-found');
  assert.deepEqual(await lookback.tag(id, ['early'], { open: true }).then(({ tags, path }) => [tags, path]), [['early'], '']);
  assert.deepEqual((await lookback.tagsOf(id, { open: true })).tags, ['early']);
  assert.deepEqual((await lookback.untag(id, ['early'], { open: true })).tags, []);
});

test('waiting sessions can be marked as done and not', async () => {
  const { id, lookback } = await written('needle?');
  const ids = async () => (await lookback.unread()).items.map((item) => item.id);
  assert.deepEqual(await ids(), [id]);
  assert.deepEqual((await lookback.markDone(id)).session, id);
  assert.deepEqual(await ids(), []);
  assert.equal((await lookback.unread({ includeDone: true })).total, 1);
  await lookback.unmarkDone(id);
  assert.deepEqual(await ids(), [id]);
});

test('tools answer with text and details', async () => {
  const definitions = toolDefinitions();
  assert.ok(definitions.some(({ name }) => name === 'recall'));
  for (const { parameters, promptGuidelines, name } of definitions) {
    assert.equal(parameters.type, 'object');
    assert.ok(promptGuidelines.every((rule) => rule.includes(name)), name);
  }
  const { id, lookback } = await written('the needle in the haystack');
  const { text, details } = await lookback.tool('recall', { action: 'search', query: 'needle' }, { redact: true });
  assert.match(text, /«needle»/);
  assert.deepEqual(details.found, [{ sessionId: id, entryId: 'e0000000' }]);
  assert.ok(JSON.stringify(details).length < 1_000);
  const live = { session: id, liveEntries: ['e0000000'] };
  assert.equal((await lookback.tool('recall', { action: 'search', query: 'needle' }, live)).details.returned, 0);
});

test('a model can be asked for tags', async () => {
  const { id, lookback } = await written('please fix the retry backoff', 'done');
  const prompt = await lookback.taggingPrompt(id, { minimum: 2, maximum: 4 });
  assert.match(prompt.system, /2 to 4/);
  assert.match(prompt.user, /retry backoff/);
  assert.equal(prompt.messages, 2);
  assert.deepEqual(parseGeneratedTags('```json\n["Rust","ci","retry backoff"]\n```'), ['rust', 'ci', 'retry-backoff']);
  assert.throws(() => parseGeneratedTags('["rust"]', { minimum: 2 }), { code: 'too-few-tags', name: 'LookbackError' });
});

test('session files stay as they are', async () => {
  const name = '01-torn-append-and-nul';
  const root = path.join(CASES, name, 'sessions');
  const state = () =>
    fs.readdirSync(root, { recursive: true }).sort().map((file) => {
      const stat = fs.statSync(path.join(root, file));
      return [file, stat.size, stat.mtimeMs, stat.ino];
    });
  const before = state();
  const lookback = await openCase(name);
  await lookback.reindex();
  await lookback.search('heliotrope');
  await lookback.unread();
  assert.deepEqual(state(), before);
});

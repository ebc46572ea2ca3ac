// What a model can ask, and what is refused before anything is looked at.

import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { test } from 'node:test';
import { Harness } from './support/harness.ts';
import { session, waiting } from './support/sessions.ts';

const loud = (): never => {
  throw new Error('code of the caller ran');
};

const proxy = new Proxy({}, { get: loud, ownKeys: loud, getPrototypeOf: loud, getOwnPropertyDescriptor: loud, has: loud });
const revoked = Proxy.revocable({}, {});
revoked.revoke();

const refused: [what: string, parameters: unknown, message: RegExp][] = [
  ['nothing', undefined, /plain object/],
  ['null', null, /plain object/],
  ['text', '{}', /plain object/],
  ['a function', () => {}, /plain object/],
  ['a list', [], /plain object/],
  ['an object of a class', new (class {})(), /plain object/],
  ['an object with values in its prototype', Object.create({ query: 'x' }), /plain object/],
  ['an object of another realm', runInNewContext('({})'), /plain object/],
  ['a proxy', proxy, /plain object/],
  ['a revoked proxy', revoked.proxy, /plain object/],
  ['an unknown key', { query: 'x', cwd: '/' }, /unknown parameter "cwd"/],
  ['a name of the prototype', JSON.parse('{"__proto__": 1}'), /unknown parameter "__proto__"/],
  ['the name of a method', { toString: 1 }, /unknown parameter "toString"/],
  ['a symbol', { [Symbol('query')]: 'x' }, /unknown parameter/],
  ['an unknown key that nobody lists', Object.defineProperty({}, 'hidden', { value: 1 }), /unknown parameter/],
  ['a getter', { get query() { return loud(); } }, /query must be plain data/],
  ['a setter', { set limit(_: number) { loud(); } }, /limit must be plain data/],
  ['a query that is no text', { query: 5 }, /query must contain 0-120 characters/],
  ['a query of null', { query: null }, /query/],
  ['a boxed query', { query: new String('x') }, /query/],
  ['a query in a list', { query: ['x'] }, /query/],
  ['a long query', { query: 'x'.repeat(121) }, /query must contain 0-120 characters/],
  ['a query with a NUL', { query: 'a\0b' }, /NUL/],
  ['an offset below', { offset: -1 }, /offset must be an integer from 0 to 500/],
  ['an offset above', { offset: 501 }, /offset/],
  ['half an offset', { offset: 0.5 }, /offset/],
  ['an offset as text', { offset: '0' }, /offset/],
  ['an offset of null', { offset: null }, /offset/],
  ['a big offset', { offset: 1n }, /offset/],
  ['an endless offset', { offset: Infinity }, /offset/],
  ['a limit below', { limit: 0 }, /limit must be an integer from 1 to 100/],
  ['a limit above', { limit: 101 }, /limit/],
  ['a limit that is no number', { limit: Number.NaN }, /limit/],
  ['a limit as an object', { limit: { valueOf: loud } }, /limit/],
];

test('wrong parameters are refused before any scan', async () => {
  const harness = await new Harness().settled();
  const before = harness.read();
  for (const [what, parameters, message] of refused) {
    await assert.rejects(harness.tool.execute('call', parameters), (error: Error) => {
      assert.ok(error instanceof TypeError, what);
      assert.match(error.message, message, what);
      return true;
    }, what);
  }
  assert.deepEqual(harness.read(), before);
});

test('right parameters at their bounds', async () => {
  const harness = await new Harness().settled();
  for (const parameters of [
    {}, Object.create(null), { query: '' }, { query: 'x'.repeat(120) }, { query: '\ud800' }, { offset: 500 }, { limit: 1 }, { limit: 100 },
    { query: undefined, offset: undefined, limit: undefined }, Object.freeze({ query: 'x', offset: 0, limit: 5 }),
  ]) {
    assert.equal((await harness.call(parameters)).details.total, 0);
  }
  assert.ok(Object.is((await harness.call({ offset: -0 })).details.offset, 0));
});

test('the schema says the same to models', async () => {
  const harness = await new Harness().settled();
  const { name, parameters, executionMode, label, description, promptSnippet, promptGuidelines } = harness.tool;
  assert.equal(name, 'session_recall_unread');
  assert.equal(executionMode, 'sequential');
  assert.ok(label && description && promptSnippet);
  assert.ok(promptGuidelines.every((line) => line.includes(name)));
  const { properties, additionalProperties, required } = parameters as any;
  assert.equal(additionalProperties, false);
  assert.equal(required, undefined);
  const bounds = ({ description, ...bounds }: any): unknown => (assert.ok(description), bounds);
  assert.deepEqual(bounds(properties.query), { type: 'string', maxLength: 120 });
  assert.deepEqual(bounds(properties.offset), { type: 'integer', minimum: 0, maximum: 500 });
  assert.deepEqual(bounds(properties.limit), { type: 'integer', minimum: 1, maximum: 100 });
});

test('a query is part of name, message or folder, in any case', async () => {
  const harness = new Harness();
  session(harness.directory, { id: 's1', written: 3, name: 'Parser' });
  session(harness.directory, { id: 's2', written: 2, said: [['user', 'Why is the PARSER slow?']] });
  session(harness.directory, { id: 's3', written: 1, said: [['user', 'Something else']] });
  await harness.settled();
  assert.deepEqual(await harness.ids({ query: ' parser ' }), ['s1', 's2']);
  assert.deepEqual(await harness.ids({ query: '/HOME/dev/APP' }), ['s1', 's2', 's3']);
  assert.deepEqual(await harness.ids({ query: 'nowhere' }), []);
});

test('every call looks anew', async () => {
  const harness = await new Harness().settled();
  assert.deepEqual(await harness.ids(), []);
  waiting(harness.directory, 2);
  assert.deepEqual(await harness.ids(), ['s0000', 's0001']);
});

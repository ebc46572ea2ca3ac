import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGeneratedTags } from 'lookback-node';
import { type Asked, generateTags, modelFor } from '../../src/tagging/generate.ts';

const settings = { minimum: 3, maximum: 7 };
const signal = new AbortController().signal;

function asking(answers: (string | { stopReason: string; errorMessage?: string })[]) {
  const questions: { systemPrompt: string; text: string }[] = [];
  const saved: string[][] = [];
  const complete = async (_model: unknown, context: any) => {
    questions.push({ systemPrompt: context.systemPrompt, text: context.messages[0].content });
    const answer = answers.shift() ?? '';
    return typeof answer === 'string' ? { stopReason: 'stop', content: [{ type: 'text', text: answer }] } : { content: [], ...answer };
  };
  const lookback = {
    taggingPrompt: async (session: string) => (session === 'empty' ? null : { system: 'SYSTEM', user: 'EXCERPT' }),
    setGeneratedTags: async (_session: string, tags: string[]) => (saved.push(tags), { generated: tags }),
  };
  const asked = { model: {}, registry: { complete }, name: 'a/b', ...settings } as unknown as Asked;
  const generate = (session = 's') => generateTags({ parseGeneratedTags }, lookback as never, session, asked, signal);
  return { generate, questions, saved };
}

test('an answer is parsed and saved', async () => {
  const { generate, questions, saved } = asking(['Sure: ["Rust", "#ci", "retry backoff"]']);
  await generate();
  assert.deepEqual(saved, [['rust', 'ci', 'retry-backoff']]);
  assert.deepEqual(questions, [{ systemPrompt: 'SYSTEM', text: 'EXCERPT' }]);
});

test('a useless answer is asked for once more, and then told', async () => {
  const second = asking(['I would rather not say anything about this.', '["a1", "b2", "c3"]']);
  await second.generate();
  assert.deepEqual(second.saved, [['a1', 'b2', 'c3']]);
  const never = asking(['["one"]', '["one"]', '["a1","b2","c3"]']);
  await assert.rejects(never.generate(), { code: 'too-few-tags' });
  assert.equal(never.questions.length, 2);
  assert.deepEqual(never.saved, []);
});

test('an error of the model is told at once', async () => {
  const { generate, questions } = asking([{ stopReason: 'error', errorMessage: 'overloaded' }]);
  await assert.rejects(generate(), /gave no answer: overloaded/);
  assert.equal(questions.length, 1);
});

test('a session in which nobody said anything is not asked about', async () => {
  const { generate, questions } = asking([]);
  assert.equal(await generate('empty'), null);
  assert.equal(questions.length, 0);
});

test('which model is asked', () => {
  const known = { provider: 'open', id: 'router/model' };
  const registry = { complete: () => {}, find: (provider: string, id: string) => (provider === 'open' && id === 'router/model' ? known : undefined) };
  const of = (model: unknown, wanted?: string) => modelFor({ model, modelRegistry: registry } as never, { ...settings, ...(wanted ? { model: wanted } : {}) });
  assert.equal(of({ provider: 'p', id: 'm' }).name, 'p/m');
  assert.equal(of({ provider: 'p', id: 'm' }, 'open/router/model').name, 'open/router/model');
  assert.throws(() => of(undefined), /no model is selected/);
  assert.throws(() => of({ provider: 'p', id: 'm' }, 'open/other'), /there is no model open\/other/);
  assert.throws(() => modelFor({ model: known, modelRegistry: {} } as never, settings), /too old/);
});

// What a profile can set.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import z from '@deepseek-ai/schemastery';
import plugin, { Config } from '../src/index.ts';
import { Harness } from './support/harness.ts';

test('the schema has bounds and defaults, for forms as well', () => {
  assert.deepEqual({ ...Config({}) }, { maxSessions: 100, recall: false });
  const { min, max, step, default: usual } = Config.dict!['maxSessions']!.meta;
  assert.deepEqual({ min, max, step, usual }, { min: 1, max: 500, step: 1, usual: 100 });
  assert.equal(Config({ maxSessions: 1 }).maxSessions, 1);
  assert.equal(Config({ maxSessions: 500 }).maxSessions, 500);
  for (const wrong of [0, -1, 501, 1.5, '5', true, [], {}]) {
    assert.throws(() => Config({ maxSessions: wrong } as never), /maxSessions/, String(wrong));
  }
  assert.throws(() => Config([] as never));
  assert.throws(() => Config({ maxSessions: 5, more: 1 } as never), /no setting "more"/);
  assert.deepEqual(Config['~standard'].validate({ maxSessions: 5 }), { value: { maxSessions: 5, recall: false } });
  const received = new z(JSON.parse(JSON.stringify(Config.toJSON())));
  assert.deepEqual(received({ maxSessions: 5 }), { maxSessions: 5, recall: false }, 'as a form gets it');
  assert.ok('issues' in (Config['~standard'].validate({ more: 1 }) as object));
});

for (const [what, maxSessions, sessions] of [
  ['nothing', undefined, 100],
  ['null', null, 100],
  ['not a number', Number.NaN, 100],
  ['infinity', Number.POSITIVE_INFINITY, 100],
  ['less than infinity', Number.NEGATIVE_INFINITY, 100],
  ['a number', 7, 7],
] as const) {
  test(`maxSessions as ${what}`, async () => {
    const loaded = new Harness();
    await loaded.load({ maxSessions } as never);
    assert.equal(loaded.read().limits.sessions, sessions);
    // A host can leave the schema out.
    const applied = new Harness();
    await applied.context.plugin({ inject: plugin.inject, apply: (context) => plugin.apply(context, { maxSessions } as never) });
    assert.equal(applied.read().limits.sessions, sessions);
  });
}

test('the plugin needs no settings at all', async () => {
  const harness = new Harness();
  await harness.load();
  assert.equal(harness.read().limits.sessions, 100);
});

test('what is no setting, or none that makes sense, keeps the plugin from starting', async () => {
  for (const [settings, message] of [
    [{ maxSession: 5 }, /no setting "maxSession"/],
    [{ maxSessions: 5, extra: null }, /no setting "extra"/],
    [{ maxSessions: 0 }, /maxSessions/],
    [{ maxSessions: 501 }, /maxSessions/],
    [{ maxSessions: 2.5 }, /maxSessions/],
    [{ maxSessions: '5' }, /maxSessions/],
    [{ recall: 1 }, /recall/],
  ] as const) {
    const harness = new Harness();
    await assert.rejects(async () => harness.load(settings), message, JSON.stringify(settings));
    assert.throws(() => plugin.apply(harness.context, settings as never), message);
    assert.equal(harness.tools.items.size + harness.panels.items.size, 0);
  }
});

import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checked } from '../../src/config/check.ts';
import { configPath, readConfig } from '../../src/config/file.ts';
import { DEFAULTS } from '../../src/config/settings.ts';

const TOOLS = ['recall', 'session_search'];

test('every key is taken', () => {
  const given = {
    autoTags: { model: 'openrouter/anthropic/claude', minimum: 4, maximum: 9 },
    tools: ['session_search', 'recall'],
    engine: 'scan',
    exclude: ['--tmp-*'],
    roots: ['~/archive'],
    ranking: 'recall',
  };
  assert.deepEqual(checked(given, TOOLS), { config: given, problems: [] });
});

test('the settings file of pi-recall is taken as it is', () => {
  const { config, problems } = checked({ autoTags: { model: 'provider/model-id', minimum: 3, maximum: 7 } }, TOOLS);
  assert.deepEqual(problems, []);
  assert.deepEqual(config, { ...DEFAULTS, autoTags: { model: 'provider/model-id', minimum: 3, maximum: 7 } });
});

const WRONG: [what: string, given: unknown, problem: RegExp][] = [
  ['an unknown key', { tool: ['recall'] }, /"tool".*keys are "autoTags", "tools"/],
  ['a key that every object has', { constructor: 1, toString: 1 }, /"constructor".*"toString"/],
  ['a tool that is not there', { tools: ['recal'] }, /no "recal"; there are "recall", "session_search"/],
  ['a text for a list', { exclude: '--tmp-*' }, /exclude: a list/],
  ['an empty text in a list', { roots: [''] }, /roots: a list/],
  ['an engine that is not there', { engine: 'grep' }, /engine: it can be "index", "scan"/],
  ['a model without a provider', { autoTags: { model: 'opus' } }, /provider\/model-id/],
  ['too many tags', { autoTags: { maximum: 40 } }, /maximum: a whole number from 3 to 10 is needed; 10 is used/],
  ['no number of tags', { autoTags: { minimum: 'three' } }, /minimum.*3 is used/],
  ['bounds that cross', { autoTags: { minimum: 9, maximum: 4 } }, /above the maximum/],
  ['an unknown key of autoTags', { autoTags: { modell: 'a/b' } }, /"modell"/],
  ['a list for the whole', [], /no JSON object/],
];
for (const [what, given, problem] of WRONG) {
  test(`told and not fatal: ${what}`, () => {
    const { config, problems } = checked(given, TOOLS);
    assert.match(problems.join('; '), problem);
    assert.ok(config.autoTags.minimum <= config.autoTags.maximum);
    assert.ok(config.tools.every((name) => TOOLS.includes(name)));
  });
}

test('a higher minimum raises the maximum with it', () => {
  assert.deepEqual(checked({ autoTags: { minimum: 8 } }, TOOLS).config.autoTags, { minimum: 8, maximum: 8 });
});

test('no tools at all can be wished', () => {
  assert.deepEqual(checked({ tools: [] }, TOOLS), { config: { ...DEFAULTS, tools: [] }, problems: [] });
});

test('where the file is', () => {
  assert.equal(configPath('/agent', {}), '/agent/pi-recall/config.json');
  assert.equal(configPath('/agent', { PI_RECALL_DATA_DIR: '~/data' }), join(homedir(), 'data/config.json'));
  assert.equal(configPath('/agent', { PI_RECALL_DATA_DIR: '/d', PI_RECALL_CONFIG_FILE: '/c.json' }), '/c.json');
});

test('a file that is not there, one with a BOM and one that is no JSON', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lookback-config-'));
  const path = join(folder, 'c.json');
  const read = () => readConfig('/nowhere', TOOLS, { PI_RECALL_CONFIG_FILE: path });
  assert.deepEqual(read(), { config: DEFAULTS, path, problems: [] });
  writeFileSync(path, '\ufeff{"engine": "scan"}');
  assert.equal(read().config.engine, 'scan');
  writeFileSync(path, '{"engine": ');
  assert.deepEqual(read().config, DEFAULTS);
  assert.match(read().problems[0] ?? '', /cannot be read/);
});

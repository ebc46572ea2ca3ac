import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
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
    redact: false,
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
  ['no yes and no no', { redact: 'false' }, /redact: it can be true or false; true is used/],
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

test('a settings file that is a pipe, a device or endless keeps nobody waiting', { skip: process.platform === 'win32' }, () => {
  const path = join(mkdtempSync(join(tmpdir(), 'lookback-config-')), 'c.json');
  const problem = () => {
    const { config, problems } = readConfig('/nowhere', TOOLS, { PI_RECALL_CONFIG_FILE: path });
    assert.deepEqual(config, DEFAULTS);
    rmSync(path);
    return problems.join();
  };
  assert.equal(spawnSync('mkfifo', [path]).status, 0);
  assert.match(problem(), /no file/);
  symlinkSync('/dev/zero', path);
  assert.match(problem(), /no file/);
  writeFileSync(path, '');
  truncateSync(path, 2 ** 40);
  assert.match(problem(), /larger than 1 MiB/);
});

/** A value of any kind, often one that a setting could have. The same number gives the same value. */
function anything(random: () => number, depth = 0): unknown {
  const some = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const keys = ['autoTags', 'tools', 'engine', 'exclude', 'roots', 'ranking', 'redact', 'model', 'minimum', 'maximum', '__proto__', 'constructor', ''];
  const values = [null, true, false, 0, -1, 3, 7, 1e308, -0.5, '', 'scan', 'recall', 'a/b', '/', '\ud800', '\0', 'x'.repeat(1_000)];
  const kind = random();
  if (depth > 4 || kind < 0.4) return some(values);
  const size = Math.floor(random() * 4);
  if (kind < 0.6) return Array.from({ length: size }, () => anything(random, depth + 1));
  return JSON.parse(`{${Array.from({ length: size + 1 }, () => `${JSON.stringify(some(keys))}:${JSON.stringify(anything(random, depth + 1))}`).join()}}`);
}

test('any JSON can stand in the file', () => {
  let seed = 7;
  // mulberry32
  const random = (): number => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const until = Date.now() + 1_000 * Number(process.env.FUZZ_SECONDS ?? 0);
  for (let times = 0; times < 20_000 || Date.now() < until; times += 1) {
    const given = anything(random);
    const { config, problems } = checked(given, TOOLS);
    const told = JSON.stringify(given);
    const { autoTags, tools, engine, exclude, roots, ranking, redact, ...rest } = config;
    assert.deepEqual(rest, {}, told);
    assert.ok(Number.isInteger(autoTags.minimum) && autoTags.minimum >= 3 && autoTags.minimum <= autoTags.maximum && autoTags.maximum <= 10, told);
    assert.ok(autoTags.model === undefined || /^[^/\s]+\/\S/.test(autoTags.model), told);
    assert.ok(tools.every((name) => TOOLS.includes(name)) && [...exclude, ...roots].every((text) => typeof text === 'string' && text), told);
    assert.ok(['index', 'scan'].includes(engine) && ['default', 'recall', 'memory', 'strict'].includes(ranking), told);
    const isSaid = typeof given === 'object' && given !== null && Object.entries(given).some(([key, value]) => key === 'redact' && value === false);
    assert.equal(redact, !isSaid, told);
    assert.ok(problems.every((problem) => typeof problem === 'string' && problem), told);
  }
  assert.deepEqual(DEFAULTS.autoTags, { minimum: 3, maximum: 7 }, 'the defaults are nobody’s');
  assert.equal(Object.getPrototypeOf({}).minimum, undefined);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { toolDefinitions } from 'lookback-node';
import { source } from '../../scripts/definitions-source.ts';
import { DEFINITIONS } from '../../src/tools/definitions.ts';
import { answered, WAITING } from '../../src/tools/waiting.ts';
import { callLine, drawResult, resultLine } from '../../src/tools/rendering.ts';

const bare = { fg: (_: string, text: string) => text, bold: (text: string) => text } as never;

test('the definitions are those of the engine (npm run definitions)', () => {
  const written = readFileSync(new URL('../../src/tools/definitions.ts', import.meta.url), 'utf8');
  assert.equal(written, source(toolDefinitions()));
});

test('every tool has what Pi needs, and each of its rules names it', () => {
  assert.ok(DEFINITIONS.some(({ name }) => name === 'recall'));
  for (const { name, promptSnippet, promptGuidelines, parameters } of [...DEFINITIONS, WAITING]) {
    assert.ok(promptSnippet && !promptSnippet.includes('\n'), name);
    assert.ok(promptGuidelines.length > 0);
    for (const rule of promptGuidelines) assert.ok(rule.includes(name), rule);
    assert.equal(parameters.type, 'object');
  }
});

test('a call in one line, also while it is still being written', () => {
  assert.equal(callLine('Recall', { action: 'search', query: 'retry "x"', scope: 'current' }, bare), 'Recall search "retry "x"" in this folder');
  assert.equal(callLine('Recall', { action: 'around', session: '0198', entry: 'e1' }, bare), 'Recall around 0198 [e1]');
  assert.equal(callLine('Recall', undefined, bare), 'Recall');
  assert.equal(callLine('Recall', { query: ['not', 'text'], action: 7 }, bare), 'Recall');
  const long = callLine('Recall', { query: `\x1b[31m${'x'.repeat(500)}` }, bare);
  assert.ok(long.length < 100 && !long.includes('\x1b'));
});

test('an answer in one line', () => {
  assert.equal(resultLine({ mode: 'search', returned: 10, total: 34, nextOffset: 10, redacted: 2 }, bare), '10 hits of 34 matching sessions · more to come · 2 secrets replaced');
  assert.equal(resultLine({ mode: 'search', returned: 0, total: 0 }, bare), 'nothing found');
  assert.equal(resultLine({ mode: 'read', returned: 30, total: 99, contentTruncated: true }, bare), '30 of 99 messages · cut to its budget');
  assert.match(resultLine({ mode: 'list', returned: 1, total: 1, syncWarning: { kind: 'busy' } }, bare), /another Pi is writing the index/);
  assert.equal(typeof resultLine(undefined, bare), 'string');
});

test('collapsed is one line, expanded is everything, both harmless', () => {
  const result = { content: [{ type: 'text' as const, text: 'head\n| quoted \x1b[31mred' }], details: { mode: 'search', returned: 1, total: 1 } };
  const drawn = (expanded: boolean, context = {}) => drawResult(result, { expanded, isPartial: false }, bare, context).render(80).map((line) => line.trimEnd());
  assert.deepEqual(drawn(false), ['1 hit of 1 matching session']);
  assert.deepEqual(drawn(true), ['1 hit of 1 matching session', 'head', '| quoted red']);
  assert.deepEqual(drawn(false, { isError: true }), ['head', '| quoted red']);
});

test('the tool for waiting sessions proposes calls of itself, and of recall only where that is there', () => {
  const frame = ['<past_transcript 1>', '| More: recall {"action":"unread"}', 'More: recall {"action":"unread","offset":9}', '</past_transcript 1>'];
  const text = ['recall unread: 2 of 14', ...frame, 'Read one: recall {"action":"read","session":"0198"}', 'More: recall {"action":"unread","scope":"current","limit":2,"offset":2}', 'All folders: recall {"action":"unread","scope":"all"}'].join('\n');
  const [head, ...rest] = answered(WAITING.name, text, [WAITING.name]).split('\n');
  assert.equal(head, 'session_recall_unread: 2 of 14');
  assert.deepEqual(rest, [...frame, 'More: session_recall_unread {"limit":2,"offset":2}']);
  assert.match(answered(WAITING.name, text, [WAITING.name, 'recall']), /Read one: recall .*\nMore: session_recall.*\nAll folders: recall/);
  assert.equal(answered('recall', text, []), text);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULTS } from '../../src/config/settings.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { type Answer, callTool } from '../../src/tools/call.ts';

const ctx = {
  cwd: '/work',
  sessionManager: { getSessionFile: () => '/s/x.jsonl', getSessionId: () => 'here', buildContextEntries: () => [{ id: 'e1' }, { id: 'e2' }] },
} as never;
const engine = (tool: (name: string, parameters: unknown, options: any) => Promise<unknown>): Engine =>
  ({ config: { ...DEFAULTS, ranking: 'recall' }, open: async () => ({ tool }) }) as unknown as Engine;

test('the engine is told who asks, from where, and what is before his eyes', async () => {
  let seen: unknown[] = [];
  const reply = { text: 'answer', details: { tool: 'recall', mode: 'search', returned: 0, total: 0, offset: 0, found: [], contentTruncated: false, nextOffset: undefined } };
  const answer = await callTool(engine(async (...all) => ((seen = all), reply)), 'recall', { action: 'search' }, ctx);
  assert.deepEqual(seen, ['recall', { action: 'search' }, { session: 'here', liveEntries: ['e1', 'e2'], cwd: '/work', policy: 'recall', engine: 'index', redact: true }]);
  assert.deepEqual(answer, { content: [{ type: 'text', text: 'answer' }], details: { tool: 'recall', mode: 'search', returned: 0, total: 0, offset: 0 } });
});

test('the reading of new sessions is shown as it goes', async () => {
  const shown: Answer[] = [];
  const reading = engine(async (_name, _parameters, { onProgress }) => {
    onProgress({ filesDone: 3, filesTotal: 9, bytesDone: 1, bytesTotal: 2 });
    return { text: '', details: {} };
  });
  await callTool(reading, 'recall', {}, ctx, undefined, (partial) => shown.push(partial));
  assert.deepEqual(shown.map(({ content }) => content[0]?.text), ['Reading session files: 3 of 9']);
});

test('a cancelled call says so, and any other error is left as it is', async () => {
  const ending = new AbortController();
  const waiting = engine((_name, _parameters, { signal }) => new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(Object.assign(new Error('the call was aborted'), { name: 'AbortError' })));
  }));
  const call = callTool(waiting, 'recall', {}, ctx, ending.signal);
  setImmediate(() => ending.abort());
  await assert.rejects(call, /^Error: recall was cancelled$/);
  const wrong = engine(async () => Promise.reject(new Error('no session has this id; recall {"action":"list"} shows them')));
  await assert.rejects(callTool(wrong, 'recall', {}, ctx), /no session has this id/);
});

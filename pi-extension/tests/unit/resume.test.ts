import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from '../../src/resume/check.ts';

const folder = mkdtempSync(join(tmpdir(), 'lookback-check-'));
const file = (name: string, text = 'x'): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const seen = (header: object, opens: object = { ok: true }) => ({ inspect: async () => ({ header, opens }) }) as never;

const CASES: [what: string, result: unknown, expected: RegExp | true, piAsks?: boolean][] = [
  ['a session with its folder', check(seen({ cwd: folder }), file('a.jsonl')), true],
  ['a header without a folder: Pi takes its own', check(seen({}), file('b.jsonl')), true],
  ['a file that is gone', check(seen({}), join(folder, 'gone.jsonl')), /file is gone/],
  ['an empty file, which Pi would make a new session', check(seen({}), file('empty.jsonl', '')), /is empty/],
  ['a folder in its place', (mkdirSync(join(folder, 'd.jsonl')), check(seen({}), join(folder, 'd.jsonl'))), /no file/],
  ['what Pi refuses', check(seen({}, { ok: false, reason: 'no \x1b[1mheader' }), file('c.jsonl')), /refuse its file: no header/],
  ['a folder that is gone', check(seen({ cwd: join(folder, 'nowhere') }), file('e.jsonl')), /nowhere is gone/, true],
  ['a folder that is a file now', check(seen({ cwd: file('f') }), file('g.jsonl')), /is gone/, true],
  ['what cannot be read', check({ inspect: async () => Promise.reject(new Error('denied')) } as never, file('h.jsonl')), /cannot be read: denied/],
];
for (const [what, result, expected, piAsks = false] of CASES) {
  test(`before resuming: ${what}`, async () => {
    const checked = (await result) as Awaited<ReturnType<typeof check>>;
    if (expected === true) return assert.deepEqual(checked, { ok: true });
    assert.ok(!checked.ok);
    assert.match(checked.reason, expected);
    assert.equal(checked.piAsks, piAsks);
  });
}

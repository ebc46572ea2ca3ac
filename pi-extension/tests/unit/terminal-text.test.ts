import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain, plainWithRanges } from '../../src/text/terminal-text.ts';

const CASES: [what: string, given: string, expected: string][] = [
  ['plain text', 'staging deploy', 'staging deploy'],
  ['colours go with their numbers', 'a \x1b[31mred\x1b[0m b', 'a red b'],
  ['a title, a clipboard write and a C1 sequence', 'x \x1b]0;owned\x07y \x1b]52;c;ZWNo\x1b\\z \x9b31mw', 'x y z w'],
  ['a string that never ends loses its beginning only', 'a \x1b]0;text goes on', 'a 0;text goes on'],
  ['a lone escape at the end', 'end\x1b', 'end'],
  ['cursor keys, charsets and resets', '\x1bOA\x1b(B\x1bcx', 'Ax'],
  ['bell, backspace, NUL, DEL, CR and line breaks are spaces', 'a\x07\x08b\x00c\x7fd\re\r\nf\u2028g\tg', 'a b c d e f g g'],
  ['marks of direction', 'a\u202eb\u2066c\u200fd', 'abcd'],
  ['halves of surrogate pairs', 'a\ud83db\ude00c', 'abc'],
  ['emoji of several characters stay whole', '👩‍👩‍👧 漢字 é', '👩‍👩‍👧 漢字 é'],
  ['nothing but control characters', '\x1b[2J\x07\n', ''],
];

for (const [what, given, expected] of CASES) {
  test(`plain: ${what}`, () => {
    assert.equal(plain(given), expected);
    assert.equal(plainWithRanges(given, []).text.trim(), expected);
    assert.doesNotMatch(plain(given), /[\x00-\x1f\x7f-\x9f]/);
  });
}

test('ranges follow their words', () => {
  const text = '\x1b[1mthe\x1b[0m \n walrus\u202e said 漢字';
  const at = (word: string) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length });
  const moved = plainWithRanges(text, [at('the'), at('walrus'), at('漢字')]);
  assert.equal(moved.text, 'the walrus said 漢字');
  assert.deepEqual(moved.ranges.map(({ start, end }) => moved.text.slice(start, end)), ['the', 'walrus', '漢字']);
});

test('a range inside of what goes away goes with it', () => {
  assert.deepEqual(plainWithRanges('a\x1b[31mb', [{ start: 2, end: 5 }]), { text: 'ab', ranges: [] });
});

test('text made to be slow is not', () => {
  const began = performance.now();
  plain('\x1b]'.repeat(20_000));
  plain('\x9b0;'.repeat(20_000));
  assert.ok(performance.now() - began < 1_000);
});

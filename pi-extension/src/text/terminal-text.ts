// Text of session files on its way to a terminal. All of it is hostile: names and messages can hold escape sequences,
// control characters and marks that turn the direction of writing.

/** A piece of a text, `text.slice(start, end)`. */
export interface Range {
  start: number;
  end: number;
}

/** White space, and control characters that begin no sequence. */
const BLANKS = String.raw`[\s\x00-\x1a\x1c-\x1f\x7f-\x8f\x91-\x97\x99\x9a\x9c]+`;
const BLANK = new RegExp(`^${BLANKS}`, 'u');

/**
 * What must not reach a terminal, longest first: whole escape sequences (a CSI without its ESC would leave `[31m`
 * behind), then single characters. The strings of OSC, DCS, APC, PM and SOS end at BEL or ST; of one that does not end
 * only the beginning goes, since what follows may be the text itself.
 */
const UNSAFE = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?`,
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])(?:[^\x07\x1b\x9c]{0,2000}(?:\x07|\x1b\\|\x9c))?`,
    String.raw`\x1b[ -/]*[0-~]?`,
    BLANKS,
    // Directions, and what draws nothing and so hides where a word ends. A joiner stays: emoji are made with it.
    String.raw`[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]+`,
    String.raw`\p{Cs}+`,
  ].join('|'),
  'gu',
);

/** White space and control characters become one space; everything else that is unsafe goes without a trace. */
const standIn = (piece: string): string => (BLANK.test(piece) ? ' ' : '');

/** One line of harmless text. */
export function plain(text: string): string {
  return text.replace(UNSAFE, standIn).replace(/ {2,}/g, ' ').trim();
}

/** The same, and where ranges of the text are then. */
export function plainWithRanges(text: string, ranges: readonly Range[]): { text: string; ranges: Range[] } {
  let out = '';
  let from = 0;
  const shifts: { at: number; to: number }[] = [];
  const keep = (until: number): void => {
    shifts.push({ at: from, to: out.length });
    out += text.slice(from, until);
  };
  for (const match of text.matchAll(UNSAFE)) {
    keep(match.index);
    from = match.index + match[0].length;
    const between = standIn(match[0]);
    // Leading space would be trimmed from the line anyway.
    if (between && out && !out.endsWith(' ')) out += between;
  }
  keep(text.length);
  const moved = (offset: number): number => {
    const shift = shifts.findLast(({ at }) => at <= offset);
    const end = shifts[shifts.indexOf(shift ?? shifts[0]!) + 1]?.to ?? out.length;
    return shift ? Math.min(shift.to + offset - shift.at, end) : 0;
  };
  const kept = ranges
    .map(({ start, end }) => ({ start: moved(start), end: moved(end) }))
    .filter(({ start, end }) => start < end);
  return { text: out.trimEnd(), ranges: kept };
}

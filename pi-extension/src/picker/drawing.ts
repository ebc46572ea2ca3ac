// The picker as lines of text. Pure: everything it shows is in its arguments.

import type { Theme } from '@earendil-works/pi-coding-agent';
import { truncateToWidth as truncated, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { age, counted, minute, shortFolder } from '../text/moments.ts';
import type { Row } from './row.ts';
import { selectedRow, type State } from './state.ts';

export type Colors = Pick<Theme, 'fg' | 'bold' | 'bg'>;

/** What the picture depends on beside the state. */
export interface View {
  width: number;
  height: number;
  colors: Colors;
  now: Date;
  home: string;
  /** Id of the session that is open. */
  current: string;
  title: string;
  /** The line with the cursor, drawn for `inputWidth(width)` columns. */
  input: string;
  /** What the keys do, the most important first. */
  hints: string[];
  /** What to say where nothing is. */
  nothing: (state: State) => string;
}

/** How many columns the query has. */
export const inputWidth = (width: number): number => Math.max(1, width - 4 - SCOPE);

/** Columns for the name of the scope. */
const SCOPE = 14;
/** Below this there is no room for a frame and columns. */
const NARROW = 46;

/** Lines for the list at this height, and for the preview; the rest is frame. */
export function parts(height: number): { list: number; preview: number } {
  const preview = height >= 24 ? 6 : height >= 16 ? 4 : 0;
  const frame = 6 + (preview ? preview + 1 : 0);
  return { list: Math.max(1, height - frame), preview };
}

/** Rows that fit into the list. */
export function rowsShown(state: State, height: number): number {
  return Math.max(1, Math.floor(parts(height).list / linesPerRow(state, height)));
}

/** Hits show what matched under their title, where there is room. */
function linesPerRow(state: State, height: number): 1 | 2 {
  return state.rows.some(({ text }) => text?.ranges.length) && parts(height).list >= 8 ? 2 : 1;
}

export function draw(state: State, view: View): string[] {
  const { width, height, colors } = view;
  const inner = width - 4;
  if (inner < 8) return [clipped(header(state), Math.max(0, width))];
  const { list, preview } = parts(height);
  const border = (text: string): string => colors.fg('border', text);
  const line = (text: string): string => `${border('│')} ${clipped(text, inner, '…', true)} ${border('│')}`;
  const rule = (left: string, right: string, text = '', at: 'left' | 'right' = 'left'): string => {
    const shown = text ? clipped(` ${text} `, inner) : '';
    const fill = border('─'.repeat(Math.max(0, inner - visibleWidth(shown))));
    return `${border(`${left}─`)}${at === 'left' ? shown + fill : fill + shown}${border(`─${right}`)}`;
  };
  const scope = state.scope === 'all' ? 'all projects' : 'this folder';
  const input = `${clipped(view.input, inputWidth(width), '', true)}${padStart(colors.fg('muted', scope), SCOPE)}`;
  const lines = [
    rule('╭', '╮', headline(state, view, inner), 'left'),
    line(input),
    rule('├', '┤'),
    ...fitted(listed(state, view, inner, list), list).map(line),
  ];
  if (preview) {
    lines.push(rule('├', '┤'), ...fitted(previewed(state, view, inner), preview).map(line));
  }
  lines.push(rule('├', '┤', status(state, colors)), line(hints(view, inner)), rule('╰', '╯'));
  return lines;
}

/** `50 of 120 sessions`. */
export function header(state: State): string {
  const shown = new Set(state.rows.map(({ session }) => session)).size;
  return `${shown} of ${counted(state.corpus, 'session')}`;
}

function headline(state: State, { title, colors }: View, inner: number): string {
  const busy = state.waiting ? colors.fg('muted', ' …') : '';
  const left = colors.fg('accent', colors.bold(title));
  const right = `${colors.fg('muted', header(state))}${busy}`;
  const gap = inner - 2 - visibleWidth(left) - visibleWidth(right) - 2;
  if (gap < 1) return right;
  return `${left} ${colors.fg('border', '─'.repeat(gap))} ${right}`;
}

function status(state: State, colors: Colors): string {
  const { message, progress, notes } = state;
  if (message) return colors.fg(message.level === 'info' ? 'accent' : message.level, message.text);
  if (progress) {
    const { done, total } = progress;
    const share = total > 0 ? Math.min(1, done / total) : 0;
    const full = Math.round(share * 16);
    const bar = `${'█'.repeat(full)}${'░'.repeat(16 - full)}`;
    return colors.fg('muted', `reading sessions ${bar} ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`);
  }
  return notes.length ? colors.fg('warning', notes.join(' · ')) : '';
}

function hints({ hints: all, colors }: View, inner: number): string {
  let text = '';
  for (const hint of all) {
    const longer = text ? `${text}  ${hint}` : hint;
    if (visibleWidth(longer) > inner) break;
    text = longer;
  }
  return colors.fg('dim', text);
}

function listed(state: State, view: View, inner: number, lines: number): string[] {
  const { rows, selected } = state;
  const { colors } = view;
  if (!rows.length) {
    const isSettled = !state.waiting && !state.refreshing;
    const wider = state.scope === 'current' ? ' Tab looks in all projects.' : '';
    return wrapTextWithAnsi(colors.fg('muted', isSettled ? `${view.nothing(state)}${wider}` : 'Looking…'), inner);
  }
  const each = linesPerRow(state, view.height);
  const count = Math.max(1, Math.floor(lines / each));
  const top = Math.max(0, Math.min(selected - Math.floor(count / 2), rows.length - count));
  return rows.slice(top, top + count).flatMap((row, index) => {
    const isSelected = top + index === selected;
    const drawn = [titleLine(row, isSelected, view, inner)];
    if (each === 2) drawn.push(`  ${colors.fg('muted', highlighted(row, colors))}`);
    return drawn.map((text) => (isSelected ? colors.bg('selectedBg', clipped(text, inner, '…', true)) : text));
  });
}

function titleLine(row: Row, isSelected: boolean, view: View, inner: number): string {
  const { colors, now, home, current } = view;
  const mark = isSelected ? colors.fg('accent', '▸ ') : '  ';
  const here = row.session === current ? colors.fg('success', '● ') : '';
  const title = isSelected ? colors.bold(row.title) : row.title;
  const when = padStart(colors.fg('dim', age(row.time, now)), 10);
  const folder = shortFolder(row.cwd, home).split(/[/\\]/).at(-1) || row.cwd;
  const branch = row.hit?.branch === 'abandoned' ? colors.fg('warning', '⑂ ') : '';
  const tags = row.tags.slice(0, 2).map((tag) => ` #${tag}`);
  const columns =
    inner < NARROW ? when : `${colors.fg('accent', tags.join(''))} ${colors.fg('muted', folder)} ${when}`;
  const right = clipped(columns, Math.floor(inner / 2), '…');
  const left = inner - visibleWidth(right);
  return `${clipped(`${mark}${here}${branch}${title}`, left, '…', true)}${right}`;
}

/** What is known of the selected session, and its text. */
function previewed(state: State, view: View, inner: number): string[] {
  const row = selectedRow(state);
  if (!row) return [];
  const { colors, home, current } = view;
  const facts = [
    row.session === current ? colors.fg('success', 'this session') : '',
    row.hit?.role ?? '',
    row.hit ? branchName(row.hit.branch, colors) : '',
    row.copies ? `also in ${counted(row.copies, 'fork')}` : '',
    minute(row.time),
    shortFolder(row.cwd, home),
    counted(row.messages, 'message'),
  ].filter(Boolean);
  const lines = wrapTextWithAnsi(colors.fg('muted', facts.join(' · ')), inner);
  if (row.tags.length) lines.push(colors.fg('accent', row.tags.map((tag) => `#${tag}`).join(' ')));
  return [...lines, ...wrapTextWithAnsi(highlighted(row, colors), inner)];
}

function branchName(branch: 'active' | 'compacted' | 'abandoned', colors: Colors): string {
  switch (branch) {
    case 'active':
      return 'active branch';
    case 'compacted':
      return 'before a compaction';
    case 'abandoned':
      return colors.fg('warning', 'abandoned branch');
  }
}

function highlighted(row: Row, colors: Colors): string {
  const { text, ranges } = row.text ?? { text: '', ranges: [] };
  let out = '';
  let from = 0;
  for (const { start, end } of ranges) {
    out += text.slice(from, start) + colors.fg('accent', colors.bold(text.slice(start, end)));
    from = end;
  }
  return out + text.slice(from);
}

/** Exactly so many lines. */
function fitted(lines: string[], count: number): string[] {
  return [...lines, ...Array<string>(count).fill('')].slice(0, count);
}

const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - visibleWidth(text))) + text;

/**
 * A text of at most so many columns, or exactly so many when padded. What Pi's own function leaves behind at a cut also
 * ends the background of the selected row, so only weight and colour end there.
 */
const clipped = (text: string, width: number, mark?: string, pad?: boolean): string =>
  truncated(text, width, mark, pad).replaceAll('\x1b[0m', '\x1b[22;39m');

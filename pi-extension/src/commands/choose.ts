// Lets the user choose a session and goes there: with the picker on a terminal, with dialogs over RPC, and as plain text
// where nobody can choose.

import { homedir } from 'node:os';
import type { Lookback } from 'lookback-node';
import { type Place, placeOf } from '../engine/place.ts';
import type { Question, Source } from '../picker/asking.ts';
import { type Choice, type Kind, Picker, SHARE } from '../picker/overlay.ts';
import type { Row } from '../picker/row.ts';
import type { Scope, State } from '../picker/state.ts';
import { check } from '../resume/check.ts';
import { resume } from '../resume/resume.ts';
import { age, counted, shortFolder } from '../text/moments.ts';
import { plain } from '../text/terminal-text.ts';
import { sentence, speak } from '../text/speak.ts';
import type { Command } from './command.ts';

/** What can be chosen from. */
export interface Offer {
  title: string;
  query: string;
  scope: Scope;
  source: (lookback: Lookback, place: Place) => Source;
  nothing: (state: Pick<State, 'query' | 'scope'>) => string;
  action?: (lookback: Lookback) => NonNullable<Kind['action']>;
}

export async function choose(offer: Offer, command: Command): Promise<void> {
  const { ctx, engine } = command;
  const place = placeOf(ctx);
  const lookback = await engine.open(place);
  if (ctx.mode === 'tui') return onTerminal(offer, lookback, place, command);
  const rows = await firstPage(offer, offer.source(lookback, place), command);
  if (!rows) return;
  if (ctx.hasUI) return inDialogs(rows, lookback, place, command);
  speak(ctx, rows.map((row) => `${label(row)}\n   ${row.session}${row.text ? `\n   ${row.text.text}` : ''}`).join('\n'));
}

async function onTerminal(offer: Offer, lookback: Lookback, place: Place, { ctx }: Command): Promise<void> {
  const kind: Kind = {
    title: offer.title,
    source: offer.source(lookback, place),
    query: offer.query,
    scope: offer.scope,
    current: place.session,
    nothing: offer.nothing,
    refuse: (choice, insisted) => refusal(choice, insisted, lookback, place),
    ...(offer.action ? { action: offer.action(lookback) } : {}),
  };
  const choice = await ctx.ui.custom<Choice | undefined>(
    (tui, theme, keys, done) => new Picker(tui, theme, keys, kind, done),
    {
      overlay: true,
      overlayOptions: {
        anchor: 'center',
        width: `${SHARE.width * 100}%`,
        maxHeight: `${SHARE.height * 100}%`,
      },
    },
  );
  if (choice) await resume(ctx, destination(choice.row, choice.atMessage, place));
}

async function refusal(
  { row, atMessage }: Choice,
  insisted: boolean,
  lookback: Lookback,
  place: Place,
): Promise<{ reason: string; mayInsist: boolean } | undefined> {
  if (isCurrent(row, place)) {
    return atMessage ? undefined : { reason: 'This is the session you are in.', mayInsist: false };
  }
  const checked = await check(lookback, row.path);
  if (checked.ok || (checked.piAsks && insisted)) return undefined;
  return { reason: checked.reason, mayInsist: checked.piAsks };
}

/** The best rows, or nothing and a word on why. */
async function firstPage(offer: Offer, source: Source, { ctx }: Command): Promise<Row[] | undefined> {
  const { query, scope } = offer;
  const signal = ctx.signal ?? new AbortController().signal;
  try {
    await source.refresh?.(() => {}, signal);
  } catch (error) {
    speak(ctx, `Lookback: new sessions could not be read: ${plain(sentence(error))}`, 'warning');
  }
  const question: Question = { query, scope, offset: 0, signal };
  const found = await source.find(question);
  if (found.notes.length) speak(ctx, found.notes.join('\n'), 'warning');
  if (found.rows.length) return found.rows;
  speak(ctx, offer.nothing({ query, scope }));
  return undefined;
}

async function inDialogs(rows: Row[], lookback: Lookback, place: Place, { ctx }: Command): Promise<void> {
  // Two sessions may look alike; the answer of the dialog is the text alone.
  const labels = rows.map((row, index) => `${index + 1}. ${label(row)}${isCurrent(row, place) ? ' · this session' : ''}`);
  const answer = await ctx.ui.select(`Resume one of ${counted(rows.length, 'session')}`, labels);
  const row = answer === undefined ? undefined : rows[labels.indexOf(answer)];
  if (!row) return;
  let atMessage = false;
  if (row.hit) {
    const ways = ['Resume the session', 'Resume at the message that matched', 'Cancel'];
    const way = await ctx.ui.select(row.text?.text || row.title, ways);
    if (way === undefined || way === ways[2]) return;
    atMessage = way === ways[1];
  }
  // Only the terminal has the dialog in which Pi asks what to do about a folder that is gone.
  const refused = await refusal({ row, atMessage }, false, lookback, place);
  if (refused) return speak(ctx, `Lookback: “${row.title}” was not opened. ${refused.reason}`, 'warning');
  await resume(ctx, destination(row, atMessage, place));
}

function destination(row: Row, atMessage: boolean, place: Place): Parameters<typeof resume>[1] {
  const entry = atMessage ? row.hit?.entry : undefined;
  return { path: row.path, title: row.title, isCurrent: isCurrent(row, place), ...(entry ? { entry } : {}) };
}

/** An imported copy has the same id and another file: that one can be opened. */
function isCurrent(row: Row, place: Place): boolean {
  return row.session === place.session && (!place.file || row.path === place.file);
}

function label({ title, time, cwd, tags, hit, copies }: Row): string {
  const facts = [
    age(time, new Date()),
    shortFolder(cwd, homedir()),
    hit && hit.branch !== 'active' ? `${hit.branch} branch` : '',
    copies ? `also in ${counted(copies, 'fork')}` : '',
    tags.map((tag) => `#${tag}`).join(' '),
  ];
  return [title.slice(0, 100), ...facts.filter(Boolean)].join(' · ');
}

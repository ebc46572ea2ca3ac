// What the picker knows, and how it changes. Pure: no clock, no terminal, no engine.

import type { Row } from './row.ts';

export type Scope = 'all' | 'current';

/** A page of rows. */
export interface Found {
  rows: Row[];
  /** Sessions that were looked at. */
  corpus: number;
  /** Sessions that match, on all pages. */
  matched: number;
  /** Where the next page begins. */
  nextOffset?: number;
  /** What the user should know of this answer. */
  notes: string[];
}

export interface State {
  query: string;
  scope: Scope;
  rows: Row[];
  corpus: number;
  matched: number;
  nextOffset?: number;
  notes: string[];
  /** Index of the selected row; 0 where there is none. */
  selected: number;
  /** Number of the newest question. Answers to older ones are dropped. */
  asked: number;
  /** Whether its answer is still out, or it is about to be asked. */
  waiting: boolean;
  /** Whether new sessions are being looked for. */
  refreshing: boolean;
  /** How far that is, while it takes long. */
  progress?: { done: number; total: number };
  /** One line for the user until the next key. */
  message?: { text: string; level: 'info' | 'warning' | 'error' };
  /** A session that was refused once, and that Pi would ask about: a second Enter insists. */
  insist?: string;
}

export type Event =
  | { type: 'typed'; query: string }
  | { type: 'scope' }
  | { type: 'move'; by: number }
  | { type: 'asked' }
  | { type: 'found'; number: number; found: Found; more?: boolean }
  | { type: 'failed'; number: number; reason: string }
  | { type: 'refreshing'; progress?: { done: number; total: number } }
  | { type: 'refreshed' }
  | { type: 'preview'; session: string; text: string }
  | { type: 'say'; text: string; level: 'info' | 'warning' | 'error'; insist?: string };

export function initial(query: string, scope: Scope): State {
  return { query, scope, rows: [], corpus: 0, matched: 0, notes: [], selected: 0, asked: 0, waiting: true, refreshing: false };
}

export function selectedRow(state: State): Row | undefined {
  return state.rows[state.selected];
}

export function next(state: State, event: Event): State {
  switch (event.type) {
    case 'typed':
      // The best hit of a new query is what its author wants to see.
      return quiet({ ...state, query: event.query, selected: 0, waiting: true });
    case 'scope':
      return quiet({ ...state, scope: state.scope === 'all' ? 'current' : 'all', waiting: true });
    case 'move':
      return quiet({ ...state, selected: within(state.selected + event.by, state.rows.length) });
    case 'asked':
      return { ...state, asked: state.asked + 1, waiting: true };
    case 'found':
      return event.number === state.asked ? answered(state, event.found, event.more ?? false) : state;
    case 'failed':
      if (event.number !== state.asked) return state;
      return { ...state, waiting: false, message: { text: event.reason, level: 'error' } };
    case 'refreshing':
      return { ...state, refreshing: true, ...(event.progress ? { progress: event.progress } : {}) };
    case 'refreshed': {
      const { progress: _, ...rest } = state;
      return { ...rest, refreshing: false };
    }
    case 'preview': {
      const seen = (row: Row): Row =>
        row.session === event.session && !row.text ? { ...row, text: { text: event.text, ranges: [] } } : row;
      return { ...state, rows: state.rows.map(seen) };
    }
    case 'say': {
      const { insist: _, ...rest } = state;
      const message = { text: event.text, level: event.level };
      return event.insist === undefined ? { ...rest, message } : { ...rest, message, insist: event.insist };
    }
  }
}

function answered(state: State, found: Found, more: boolean): State {
  const { nextOffset: _, ...rest } = state;
  const before = selectedRow(state);
  const rows = more ? [...state.rows, ...unseen(found.rows, state.rows)] : found.rows;
  // Where rows changed places under the selection, it stays with its session; at the top it stays at the top.
  const kept = state.selected > 0 && before ? rows.findIndex(({ session }) => session === before.session) : -1;
  return {
    ...rest,
    rows,
    corpus: found.corpus,
    matched: found.matched,
    notes: found.notes,
    selected: kept >= 0 ? kept : within(state.selected, rows.length),
    waiting: false,
    ...(found.nextOffset === undefined ? {} : { nextOffset: found.nextOffset }),
  };
}

/** A session that was written between two pages moves up, and would come again. */
function unseen(rows: Row[], seen: Row[]): Row[] {
  const known = new Set(seen.map(({ session, hit }) => `${session} ${hit?.entry ?? ''}`));
  return rows.filter(({ session, hit }) => !known.has(`${session} ${hit?.entry ?? ''}`));
}

function quiet(state: State): State {
  const { message: _, insist: __, ...rest } = state;
  return rest;
}

const within = (index: number, length: number): number => Math.max(0, Math.min(index, length - 1));

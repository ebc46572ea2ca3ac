// All sessions, page by page, from whatever answers.

import type { AnswerSource, Lookback, Session } from 'lookback-node';
import type { Config } from '../config/settings.ts';

/** A query that every session matches, for the engine that keeps no list. */
const EVERYTHING = 'after:1970-01-01';

/** A page of sessions, the latest first. */
export interface Page {
  sessions: Session[];
  total: number;
  source: AnswerSource;
  nextOffset?: number;
}

/** Which page. */
export interface Wanted {
  offset: number;
  limit: number;
  sync: boolean;
  signal: AbortSignal;
  /** Only sessions of this folder. */
  cwd?: string;
}

export async function pageOfSessions(lookback: Lookback, engine: Config['engine'], wanted: Wanted): Promise<Page> {
  if (engine === 'index') return lookback.list(wanted);
  const { cwd, ...page } = wanted;
  const reply = await lookback.search(EVERYTHING, { ...page, engine, ...(cwd === undefined ? {} : { scope: { cwd } }) });
  return {
    sessions: reply.hits.map(({ session }) => session),
    total: reply.sessionsMatched,
    source: reply.source,
    ...(reply.nextOffset === undefined ? {} : { nextOffset: reply.nextOffset }),
  };
}

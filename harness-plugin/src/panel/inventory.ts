// What the panel shows: the last successful scan of the session that is open, and how the latest one went.

import type { UnreadScan } from 'lookback-node';
import { isSame, type NativeSession } from '../host/session.ts';
import { type Limits, limitsWith } from '../limits.ts';
import { type Counts, type Session, sessionOf } from '../scan/page.ts';

/** How the latest scan went. */
export interface Status {
  state: 'idle' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Since when, as ISO 8601. Missing while nothing was scanned. */
  at?: string;
  /** Why it failed or was cancelled. */
  error?: string;
}

/** What the panel hands out. */
export interface PanelData {
  /** Successful scans since the plugin was loaded, whichever session they were for. */
  scans: number;
  /** Waiting sessions that were found. */
  total: number;
  /** The first of them. */
  items: Session[];
  inventory: Counts;
  status: Status;
  limits: Limits;
}

const NOTHING: Counts = {
  available: 0,
  candidates: 0,
  scanned: 0,
  unread: 0,
  shown: 0,
  truncated: false,
  discoveryTruncated: false,
  scanTruncated: false,
  displayTruncated: false,
};

const ERROR_CHARACTERS = 500;

/** Keeps it, for one session at a time. */
export class Inventory {
  readonly #limits: Limits;
  #session: NativeSession | undefined;
  #scans = 0;
  #total = 0;
  #items: Session[] = [];
  #counts = NOTHING;
  #status: Status = { state: 'idle' };

  constructor(maxSessions: number) {
    this.#limits = limitsWith(maxSessions);
  }

  /** Forgets everything that was found for a session that is not the open one. */
  follow(now: NativeSession | undefined): void {
    const before = this.#session;
    if (before && now && isSame(before, now)) {
      // Without a runtime nothing is known of its session; once it was there it is remembered.
      this.#session = { ...now, session: now.session ?? before.session };
      return;
    }
    if (before === now) return;
    this.#session = now;
    this.#total = 0;
    this.#items = [];
    this.#counts = NOTHING;
    this.#status = { state: 'idle' };
  }

  /** A scan for the session that is open has begun. */
  began(session: NativeSession): void {
    this.follow(session);
    this.#status = { state: 'running', at: now() };
  }

  /** A scan is done, and its session is still open. */
  completed(session: NativeSession, { total, shown, inventory }: UnreadScan): void {
    this.follow(session);
    this.#scans += 1;
    this.#total = total;
    this.#items = shown.map(sessionOf);
    this.#counts = { ...inventory };
    this.#status = { state: 'completed', at: now() };
  }

  /** A scan found nothing out. What an earlier one found stays; another session hears nothing of it. */
  ended(session: NativeSession | undefined, state: 'failed' | 'cancelled', error: unknown): void {
    const ours = this.#session;
    if (ours === session || (ours && session && isSame(ours, session))) {
      this.#status = { state, at: now(), error: bounded(error) };
    }
  }

  /** A copy, which the host may do with as it likes. */
  snapshot(): PanelData {
    return structuredClone({
      scans: this.#scans,
      total: this.#total,
      items: this.#items,
      inventory: this.#counts,
      status: this.#status,
      limits: this.#limits,
    });
  }
}

const now = (): string => new Date().toISOString();

function bounded(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // A pair of surrogates is not divided.
  return text.length > ERROR_CHARACTERS ? text.slice(0, ERROR_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '') : text;
}

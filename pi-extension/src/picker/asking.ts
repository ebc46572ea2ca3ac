// Between the picker and the engine: asks while the user types, drops what comes too late, and never throws.

import { isAbort, sentence } from '../text/speak.ts';
import { plain } from '../text/terminal-text.ts';
import type { Row } from './row.ts';
import { type Event, type Found, initial, next, type Scope, selectedRow, type State } from './state.ts';

/** What the picker asks. */
export interface Question {
  query: string;
  scope: Scope;
  offset: number;
  signal: AbortSignal;
}

/** Where rows come from. */
export interface Source {
  find(question: Question): Promise<Found>;
  /** Looks for new sessions; says whether there were any. */
  refresh?(progress: (progress: { done: number; total: number }) => void, signal: AbortSignal): Promise<boolean>;
  /** A piece of the text of a session that has none to show. */
  preview?(row: Row, signal: AbortSignal): Promise<string>;
}

/** Milliseconds. */
export const DELAYS = {
  /** After a key, before the engine is asked: a burst of keys is one question. */
  typing: 25,
  /** Between two looks at a growing index. */
  growing: 1_000,
  /** Before a session is opened for its preview. */
  preview: 100,
  /** Reading that is done before this is not worth a progress bar. */
  progress: 400,
};

export class Asking {
  #state: State;
  readonly #source: Source;
  readonly #changed: (state: State) => void;
  /** Ends everything. */
  readonly #over = new AbortController();
  #question: AbortController | undefined;
  #looking: AbortController | undefined;
  readonly #timers = new Map<'typing' | 'preview', NodeJS.Timeout>();
  #fetching = false;

  constructor(source: Source, query: string, scope: Scope, changed: (state: State) => void) {
    this.#source = source;
    this.#changed = changed;
    this.#state = initial(query, scope);
  }

  get state(): State {
    return this.#state;
  }

  /** Asks the first question, and looks for new sessions meanwhile. */
  start(): void {
    this.#ask();
    void this.#refresh();
  }

  typed(query: string): void {
    if (query === this.#state.query) return;
    this.#apply({ type: 'typed', query });
    this.#later('typing', DELAYS.typing, () => this.#ask());
  }

  switchScope(): void {
    this.#apply({ type: 'scope' });
    this.#ask();
  }

  move(by: number): void {
    this.#apply({ type: 'move', by });
    this.#showSelected();
    const { selected, rows, nextOffset } = this.#state;
    if (nextOffset !== undefined && selected >= rows.length - 1) void this.#more(nextOffset);
  }

  say(text: string, level: 'info' | 'warning' | 'error', insist?: string): void {
    this.#apply({ type: 'say', text, level, ...(insist === undefined ? {} : { insist }) });
  }

  /** Asks again, such as after a change that the picker itself made. */
  again(): void {
    this.#ask();
  }

  dispose(): void {
    this.#over.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #apply(event: Event): void {
    if (this.#over.signal.aborted) return;
    this.#state = next(this.#state, event);
    this.#changed(this.#state);
  }

  #ask(): void {
    clearTimeout(this.#timers.get('typing'));
    this.#question?.abort();
    const question = (this.#question = new AbortController());
    this.#apply({ type: 'asked' });
    const { asked: number, query, scope } = this.#state;
    void this.#answer(number, { query, scope, offset: 0, signal: this.#until(question) });
  }

  async #more(offset: number): Promise<void> {
    if (this.#fetching || this.#state.waiting) return;
    this.#fetching = true;
    const { asked: number, query, scope } = this.#state;
    await this.#answer(number, { query, scope, offset, signal: this.#over.signal }, true);
    this.#fetching = false;
  }

  async #answer(number: number, question: Question, more = false): Promise<void> {
    try {
      const found = await this.#source.find(question);
      this.#apply({ type: 'found', number, found, more });
      this.#showSelected();
    } catch (error) {
      if (!isAbort(error)) this.#apply({ type: 'failed', number, reason: plain(sentence(error)) });
    }
  }

  async #refresh(): Promise<void> {
    if (!this.#source.refresh) return;
    const began = Date.now();
    let looked = began;
    this.#apply({ type: 'refreshing' });
    try {
      const isNew = await this.#source.refresh((progress) => {
        const now = Date.now();
        if (now - began < DELAYS.progress) return;
        this.#apply({ type: 'refreshing', progress });
        if (now - looked < DELAYS.growing) return;
        looked = now;
        this.#askIfIdle();
      }, this.#over.signal);
      this.#apply({ type: 'refreshed' });
      if (isNew) this.#askIfIdle();
    } catch (error) {
      this.#apply({ type: 'refreshed' });
      if (!isAbort(error)) this.say(`New sessions could not be read: ${plain(sentence(error))}`, 'warning');
    }
  }

  /** Not while the user reads on in later pages: they would vanish. */
  #askIfIdle(): void {
    if (!this.#state.waiting && this.#state.selected < PAGE) this.#ask();
  }

  #showSelected(): void {
    this.#looking?.abort();
    const row = selectedRow(this.#state);
    if (!row || row.text || !this.#source.preview) return;
    const looking = (this.#looking = new AbortController());
    this.#later('preview', DELAYS.preview, () => void this.#preview(row, this.#until(looking)));
  }

  async #preview(row: Row, signal: AbortSignal): Promise<void> {
    try {
      const text = await this.#source.preview?.(row, signal);
      if (text !== undefined) this.#apply({ type: 'preview', session: row.session, text });
    } catch {
      // A session that cannot be read says so when it is opened.
    }
  }

  #until(ended: AbortController): AbortSignal {
    return AbortSignal.any([ended.signal, this.#over.signal]);
  }

  #later(name: 'typing' | 'preview', delay: number, run: () => void): void {
    clearTimeout(this.#timers.get(name));
    if (!this.#over.signal.aborted) this.#timers.set(name, setTimeout(run, delay));
  }
}

/** Rows of a page. */
export const PAGE = 50;

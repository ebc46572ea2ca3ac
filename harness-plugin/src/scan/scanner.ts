// Scans, each for the session that asked and for no other.

import { resolve } from 'node:path';
import { Cancelled } from '../cancelled.ts';
import { type Host, isSame, type NativeSession, SessionChanged } from '../host/session.ts';
import type { Inventory } from '../panel/inventory.ts';
import type { PageParameters } from '../tools/parameters.ts';
import type { Addon } from './addon.ts';
import { type Page, pageOf } from './page.ts';
import { Queue } from './queue.ts';

/** What a scanner needs. */
export interface ScannerOptions {
  host: Host;
  inventory: Inventory;
  maxSessions: number;
  /** Aborted when the plugin is disposed. */
  ending: AbortSignal;
  load: () => Addon;
}

/** Looks for waiting sessions, one scan at a time, and keeps the panel's inventory up to date. */
export class Scanner {
  readonly #options: ScannerOptions;
  readonly #queue = new Queue();
  #scanning = false;

  constructor(options: ScannerOptions) {
    this.#options = options;
  }

  /** The scan at startup. Whatever becomes of it is told in the panel and nowhere else. */
  start(): void {
    const { host, inventory } = this.#options;
    try {
      this.scan(host.capture(), { query: '', offset: 0, limit: 1 }).catch(() => {});
    } catch (error) {
      inventory.ended(undefined, 'failed', error);
    }
  }

  /** Fulfilled when no scan runs or waits. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /**
   * Scans anew for the session that asked.
   *
   * @throws SessionChanged when another session is open before the folder is listed, after the files were read, or when
   * the answer is ready
   * @throws Cancelled when the signal is aborted or the plugin disposed
   */
  async scan(asked: NativeSession, page: PageParameters, signal?: AbortSignal): Promise<Page> {
    const { ending, inventory } = this.#options;
    const either = signal ? AbortSignal.any([signal, ending]) : ending;
    if (!either.aborted) inventory.began(asked);
    try {
      return await this.#queue.run(either, () => this.#turn(asked, page, either));
    } catch (error) {
      throw this.#explained(error, asked, either);
    }
  }

  async #turn(asked: NativeSession, page: PageParameters, signal: AbortSignal): Promise<Page> {
    const { inventory, maxSessions, load } = this.#options;
    this.#scanning = true;
    try {
      this.#check(asked, signal);
      inventory.began(asked);
      const found = await load().scanUnread({
        ...placeOf(asked),
        ...page,
        maxSessions,
        signal,
      });
      this.#check(asked, signal);
      const answer = pageOf(found.page);
      this.#check(asked, signal);
      inventory.completed(asked, found);
      return answer;
    } finally {
      this.#scanning = false;
    }
  }

  /** A scan that is both cancelled and for a session that was left was cancelled: that is what its caller did. */
  #check(asked: NativeSession, signal: AbortSignal): void {
    signal.throwIfAborted();
    const { host, inventory } = this.#options;
    const now = host.current();
    inventory.follow(now);
    if (!now || !isSame(asked, now)) throw new SessionChanged();
  }

  /** The error for the caller. The panel hears of it unless it shows another session, or another scan goes on. */
  #explained(error: unknown, asked: NativeSession, signal: AbortSignal): unknown {
    const { host, inventory, ending } = this.#options;
    const now = host.current();
    inventory.follow(now);
    if (signal.aborted) {
      const cancelled = new Cancelled('scan', ending.aborted, signal.reason);
      if (!this.#scanning) inventory.ended(asked, 'cancelled', cancelled);
      return cancelled;
    }
    // What went wrong for a session that was left, such as that its folder is gone, is no news for the one that came.
    if (!now || !isSame(asked, now)) return error instanceof SessionChanged ? error : new SessionChanged({ cause: error });
    if (error instanceof SessionChanged) return error;
    inventory.ended(asked, 'failed', error);
    return error;
  }
}

/** Where the add-on looks, and which session it leaves out. Pi's paths can be relative to the process. */
function placeOf(session: NativeSession): { folder: string; cwd: string; activeId: string; activePath?: string } {
  const { id, path, cwd, directory } = session;
  return {
    // A session that is not kept on disk has no folder, and the one of the process is none of its.
    folder: directory && resolve(directory),
    cwd: resolve(cwd),
    activeId: id,
    ...(path ? { activePath: resolve(path) } : {}),
  };
}

// One handle to the engine for each session of Pi. Making one costs next to nothing: the add-on shares what is behind it.

import { homedir } from 'node:os';
import type { Lookback } from 'lookback-node';
import type { Config } from '../config/settings.ts';
import { type Addon, loadAddon } from './addon.ts';
import { type Place, sessionFolders } from './place.ts';

/** What an engine is opened with. */
export interface EngineOptions {
  agentDir: string;
  config: Config;
  load?: () => Addon;
}

/** The engine as one session of Pi uses it. */
export class Engine {
  readonly #options: EngineOptions;
  #opened: { key: string; lookback: Promise<Lookback> } | undefined;
  #closed = false;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  get config(): Config {
    return this.#options.config;
  }

  /** The add-on. @throws AddonMissing */
  addon(): Addon {
    return (this.#options.load ?? loadAddon)();
  }

  /** The open engine for the session at this place. A failure is not kept: the next call tries again. */
  async open(place: Place): Promise<Lookback> {
    if (this.#closed) throw new Error('This session of Pi was left; Lookback was closed with it.');
    const key = JSON.stringify([place.cwd, place.folder]);
    if (this.#opened?.key === key) return this.#opened.lookback;
    await this.#release();
    const lookback = this.#start(place);
    this.#opened = { key, lookback };
    lookback.catch(() => {
      if (this.#opened?.lookback === lookback) this.#opened = undefined;
    });
    return lookback;
  }

  /** Lets go of everything. Calls that run are ended. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#release();
  }

  async #start(place: Place): Promise<Lookback> {
    const { agentDir, config } = this.#options;
    const addon = this.addon();
    const options = { agentDir, cwd: place.cwd, home: homedir(), env: process.env };
    const given = config.roots.length ? { sessions: config.roots } : {};
    const { roots } = await addon.locate({ ...options, ...given });
    return addon.Lookback.open({ ...options, sessions: sessionFolders(roots, place), exclude: config.exclude });
  }

  async #release(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    try {
      await (await opened?.lookback)?.close();
    } catch {
      // It never opened, so there is nothing to close.
    }
  }
}

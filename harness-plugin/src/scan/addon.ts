// The native add-on, loaded when it is first needed: a harness on which it does not run starts all the same.

import { createRequire } from 'node:module';

export type Addon = typeof import('lookback-node');

/**
 * Loads the add-on.
 *
 * @throws Error that says what is missing
 */
export function loadAddon(load: (name: string) => unknown = createRequire(import.meta.url)): Addon {
  try {
    return load('lookback-node') as Addon;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The scanner of Lookback does not run here: ${reason}`, { cause: error });
  }
}

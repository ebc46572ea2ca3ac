// The native add-on, loaded when it is first needed and not before: a Pi that never recalls anything never pays for it,
// and one on which it does not run starts all the same.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export type Addon = typeof import('lookback-node');

/** Why there is no add-on, as a text for the user. */
export class AddonMissing extends Error {
  override name = 'AddonMissing';
}

/** A checkout has the add-on beside this package, whether npm linked it or not. */
const CHECKOUT = fileURLToPath(new URL('../../../crates/node-binding/index.js', import.meta.url));

/**
 * Loads the add-on.
 *
 * @throws {AddonMissing} when no build of it runs here
 */
export function loadAddon(load: (name: string) => unknown = createRequire(import.meta.url)): Addon {
  try {
    return load('lookback-node') as Addon;
  } catch (error) {
    if (!isAbsent(error)) throw explained(error);
  }
  try {
    if (existsSync(CHECKOUT)) return load(CHECKOUT) as Addon;
  } catch (error) {
    throw explained(error);
  }
  throw new AddonMissing(
    'The search engine of Lookback is not installed: the npm package lookback-node is missing. Install Lookback again ' +
      'with `pi install npm:pi-lookback`. Everything else in Pi works as before.',
  );
}

/** Whether the package itself is not there, rather than something in it. */
function isAbsent(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'MODULE_NOT_FOUND' && String(message).includes("'lookback-node'");
}

function explained(error: unknown): AddonMissing {
  const reason = error instanceof Error ? error.message : String(error);
  return new AddonMissing(
    `The search engine of Lookback does not run here. Everything else in Pi works as before.\n${reason}`,
    { cause: error },
  );
}

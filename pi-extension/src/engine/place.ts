// Where the running Pi keeps its sessions.

import { dirname, resolve } from 'node:path';
import type { ExtensionContext } from '@earendil-works/pi-coding-agent';

/** What of a session the engine and the commands need. Plain values: Pi's own objects go stale when it is left. */
export interface Place {
  /** The folder that the session works in. */
  cwd: string;
  /** Its id. */
  session: string;
  /** Its file, absolute, whether written yet or not. Missing with `--no-session`. */
  file?: string;
  /** The folder of its file, absolute. Missing with `--no-session`. */
  folder?: string;
}

/** Takes down where a session lives. Pi gives paths relative to its process when its settings are relative. */
export function placeOf(ctx: Pick<ExtensionContext, 'cwd' | 'sessionManager'>): Place {
  const { sessionManager } = ctx;
  const file = sessionManager.getSessionFile();
  const folder = file ? dirname(file) : undefined;
  return {
    cwd: ctx.cwd,
    session: sessionManager.getSessionId(),
    ...(file ? { file: resolve(file) } : {}),
    ...(folder ? { folder: resolve(folder) } : {}),
  };
}

/**
 * The folders to search: those found as Pi finds them, and the one that the running session is in, where that was given
 * on the command line and so is none of them.
 *
 * @param found what the settings say, or the add-on found
 */
export function sessionFolders(found: readonly string[], place: Place): string[] {
  const { folder } = place;
  // In the default layout each working folder has its own folder under the root.
  const isKnown = !folder || found.some((root) => folder === root || dirname(folder) === root);
  return isKnown ? [...found] : [folder, ...found];
}

/** The entries that the model has before its eyes: what is found in them is no news to it. */
export function liveEntries(ctx: Pick<ExtensionContext, 'sessionManager'>): string[] {
  try {
    return ctx.sessionManager
      .buildContextEntries()
      .map((entry) => entry.id)
      .filter((id) => typeof id === 'string');
  } catch {
    // Pi cannot make a context of a damaged session; then nothing is left out.
    return [];
  }
}

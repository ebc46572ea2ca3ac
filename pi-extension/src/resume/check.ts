// What Pi would say to a session, asked before anything is switched: a file that it refuses ends the program, and one
// that is gone is made anew as an empty session.

import { stat } from 'node:fs/promises';
import type { Lookback } from 'lookback-node';
import { plain } from '../text/terminal-text.ts';

/** Whether a session can be resumed. */
export type Check =
  | { ok: true }
  | {
      ok: false;
      /** A sentence for the user. */
      reason: string;
      /** Pi itself knows a way out, and asks: its folder is gone, and the session can be continued here or forked. */
      piAsks: boolean;
    };

const refused = (reason: string): Check => ({ ok: false, reason, piAsks: false });

/** Checks the file of a session. */
export async function check(lookback: Pick<Lookback, 'inspect'>, path: string): Promise<Check> {
  const file = await stat(path).catch(() => undefined);
  if (!file) return refused('Its file is gone. It was moved or deleted since it was read.');
  if (!file.isFile()) return refused('It is no file any more.');
  if (file.size === 0) return refused('Its file is empty.');
  let inspection;
  try {
    inspection = await lookback.inspect(path);
  } catch (error) {
    return refused(`Its file cannot be read: ${plain(error instanceof Error ? error.message : String(error))}`);
  }
  const { opens, header } = inspection;
  if (!opens.ok) return refused(`Pi would refuse its file: ${plain(opens.reason ?? 'it is not a valid session')}`);
  const cwd = header?.cwd;
  if (typeof cwd !== 'string' || cwd === '') return { ok: true };
  const folder = await stat(cwd).catch(() => undefined);
  if (folder?.isDirectory()) return { ok: true };
  return { ok: false, reason: `Its folder ${plain(cwd)} is gone.`, piAsks: true };
}

// Builds the add-on for tests where it is not there yet, or is older than the plugin.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const isThere = await import('lookback-node').then((addon) => typeof addon.scanUnread === 'function', () => false);
if (!isThere) {
  const build = fileURLToPath(new URL('../../crates/node-binding/scripts/build.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

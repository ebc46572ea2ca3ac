// Builds the add-on for tests where it is not there yet.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

try {
  await import('lookback-node');
} catch {
  const build = fileURLToPath(new URL('../../crates/node-binding/scripts/build.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

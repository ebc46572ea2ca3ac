// Makes `lib` from `src`. npm runs it after `npm ci`, and where the package is linked into another project.
//
// Node runs the TypeScript of a checkout as it is, but not under node_modules, so what is loaded by name is JavaScript.

import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const here = join(import.meta.dirname, '..');
const tsc = join(here, 'node_modules/typescript/bin/tsc');
if (existsSync(tsc)) {
  rmSync(join(here, 'lib'), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [tsc, '--project', join(here, 'tsconfig.build.json')], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  console.error('lib is left as it is: the development dependencies are not installed');
}

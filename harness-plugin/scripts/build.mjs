// Makes JavaScript from `src`, in `lib` or in the folder that is named. npm runs it after `npm ci`, and where the package is linked into another project.
//
// Node runs the TypeScript of a checkout as it is, but not under node_modules, so what is loaded by name is JavaScript.

import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const here = join(import.meta.dirname, '..');
const tsc = join(here, 'node_modules/typescript/bin/tsc');
const out = resolve(process.argv[2] ?? join(here, 'lib'));
if (existsSync(tsc)) {
  rmSync(out, { recursive: true, force: true });
  const build = ['--project', join(here, 'tsconfig.build.json'), '--outDir', out];
  const { status } = spawnSync(process.execPath, [tsc, ...build], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  console.error(`${out} is left as it is: the development dependencies are not installed`);
}

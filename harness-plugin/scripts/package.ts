// Makes the folder that is published as `pi-harness-plugin-lookback`.
//
//   node scripts/package.ts OUT

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = join(import.meta.dirname, '..');
const [out] = process.argv.slice(2);
if (!out) throw new Error('usage: node scripts/package.ts OUT');

const read = (path: string): Record<string, any> => JSON.parse(readFileSync(join(here, path), 'utf8'));
const { devDependencies: _, scripts: __, allowScripts: ___, ...manifest } = read('package.json');
// In a checkout the add-on is the folder beside this one; published, it is the package of the same version.
manifest.dependencies['lookback-node'] = read('../crates/node-binding/package.json').version;

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// Not in `lib`, which somebody may be loading.
const build = [join(import.meta.dirname, 'build.mjs'), join(out, 'lib')];
const { status } = spawnSync(process.execPath, build, { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
for (const part of ['README.md', '../LICENSE']) {
  cpSync(join(here, part), join(out, part.replace('../', '')));
}

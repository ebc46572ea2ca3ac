// Makes the folder that is published as `pi-harness-plugin-lookback`.
//
//   node scripts/package.ts OUT
//
// In a checkout Node runs the TypeScript of src as it is. It does not do so under node_modules, so what is published is
// JavaScript.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const here = join(import.meta.dirname, '..');
const [out] = process.argv.slice(2);
if (!out) throw new Error('usage: node scripts/package.ts OUT');

const read = (path: string): Record<string, any> => JSON.parse(readFileSync(join(here, path), 'utf8'));
const { devDependencies: _, scripts: __, allowScripts: ___, ...manifest } = read('package.json');
manifest.exports['.'] = { types: './lib/index.d.ts', default: './lib/index.js' };
manifest.files = ['lib', 'README.md'];
// In a checkout the add-on is the folder beside this one; published, it is the package of the same version.
manifest.dependencies['lookback-node'] = read('../crates/node-binding/package.json').version;

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const tsc = join(here, 'node_modules/typescript/bin/tsc');
const build = ['--project', join(here, 'tsconfig.package.json'), '--outDir', join(resolve(out), 'lib')];
const { status } = spawnSync(process.execPath, [tsc, ...build], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
for (const part of ['README.md', '../LICENSE']) cpSync(join(here, part), join(out, part.replace('../', '')));

// Makes the folders that are published: the package itself, and the one with the compiled part for this platform.
//
//   node scripts/package.mjs OUT [ADDON]
//
// ADDON is the compiled part, by default what `npm run build:release` left here. The folders of several platforms can
// be made in one OUT; each is published with `npm publish`, those of the platforms first.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const here = path.dirname(import.meta.dirname);
const require = createRequire(import.meta.url);
const { PLATFORMS, platform } = require('../loader.js');
const { name } = platform();
const [out, addon = path.join(here, `lookback-node.${name}.node`)] = process.argv.slice(2);
if (!out) throw new Error('usage: node scripts/package.mjs OUT [ADDON]');

const { devDependencies, scripts, allowScripts, ...manifest } = require('../package.json');
const license = path.join(here, '../../LICENSE');

function write(folder, content, files) {
  const where = path.join(out, folder);
  fs.rmSync(where, { recursive: true, force: true });
  fs.mkdirSync(where, { recursive: true });
  fs.writeFileSync(path.join(where, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
  for (const [from, to] of files) fs.copyFileSync(from, path.join(where, to));
}

write(
  manifest.name,
  {
    ...manifest,
    optionalDependencies: Object.fromEntries(
      Object.keys(PLATFORMS).map((platform) => [`${manifest.name}-${platform}`, manifest.version]),
    ),
  },
  [...manifest.files, 'README.md'].map((file) => [path.join(here, file), file]).concat([[license, 'LICENSE']]),
);

const main = `${manifest.name}.${name}.node`;
write(
  `${manifest.name}-${name}`,
  {
    name: `${manifest.name}-${name}`,
    version: manifest.version,
    description: `The compiled part of ${manifest.name} for ${name}`,
    license: manifest.license,
    main,
    files: [main],
    engines: manifest.engines,
    ...PLATFORMS[name],
  },
  [[addon, main], [license, 'LICENSE']],
);

// How the compiled part is found, and what is said when it is not.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { PACKAGE, folder, run } from './support.mjs';

const require = createRequire(import.meta.url);
const { PLATFORMS, detectLibc, load, platform } = require('../loader.js');
const { name } = platform();
const { version } = require('../package.json');
const addon = process.env.NAPI_RS_NATIVE_LIBRARY_PATH;

/** As an installed package would do it, without the override that the tests use. */
function withoutOverride(body) {
  delete process.env.NAPI_RS_NATIVE_LIBRARY_PATH;
  try {
    return body();
  } finally {
    process.env.NAPI_RS_NATIVE_LIBRARY_PATH = addon;
  }
}

/** A copy of the package in a `node_modules`, with the platform's package beside it where `prebuilt` says so. */
function installed({ prebuilt } = {}) {
  const modules = path.join(folder(), 'node_modules');
  const put = (file, text) => {
    fs.mkdirSync(path.dirname(path.join(modules, file)), { recursive: true });
    fs.writeFileSync(path.join(modules, file), text);
  };
  for (const file of ['package.json', 'index.js', 'loader.js']) {
    put(`lookback-node/${file}`, fs.readFileSync(path.join(PACKAGE, file)));
  }
  if (prebuilt) {
    const main = `lookback-node.${name}.node`;
    put(`lookback-node-${name}/package.json`, JSON.stringify({ name: `lookback-node-${name}`, main, ...prebuilt.manifest }));
    if (prebuilt.file) put(`lookback-node-${name}/${main}`, prebuilt.file);
    else fs.copyFileSync(addon, path.join(modules, `lookback-node-${name}`, main));
  }
  return path.join(modules, 'lookback-node');
}

const program = `
  try { console.log(Object.keys(require(process.argv[2])).join()); }
  catch (error) { console.log(error.code + ' ' + error.name + ' ' + error.message); }
`;
const loaded = (where) => run(program, { args: [where], env: { NAPI_RS_NATIVE_LIBRARY_PATH: '' } });
const EXPORTS = 'Lookback,locate,parseGeneratedTags,scanUnread,toolDefinitions';

test('the package for the platform is used', () => {
  const { out } = loaded(installed({ prebuilt: { manifest: { version } } }));
  assert.equal(out.trim(), EXPORTS);
});

test('a local build is used where there is no package', () => {
  const where = installed();
  fs.copyFileSync(addon, path.join(where, `lookback-node.${name}.node`));
  assert.equal(loaded(where).out.trim(), EXPORTS);
});

test('a package of another version is passed over', () => {
  const where = installed({ prebuilt: { manifest: { version: '9.9.9' } } });
  const { out } = loaded(where);
  assert.match(out, /^native-missing LookbackError/);
  assert.match(out, new RegExp(`lookback-node-${name}: it has version 9\\.9\\.9, and lookback-node has ${version}`));
});

test('when nothing can be loaded, the error names everything that was tried and why it failed', () => {
  const error = withoutOverride(() => {
    try {
      return load(folder());
    } catch (error) {
      return error;
    }
  });
  assert.deepEqual([error.code, error.name], ['native-missing', 'LookbackError']);
  assert.match(error.message, new RegExp(`this is ${name}`));
  assert.match(error.message, new RegExp(`the package lookback-node-${name}: Cannot find module`));
  assert.match(error.message, new RegExp(`the file .*lookback-node\\.${name}\\.node: there is no such file`));
  assert.match(error.message, /npm install lookback-node/);
  assert.ok(error.cause instanceof Error);
});

test('a file that is no library is named with the reason of the system', () => {
  const { out } = loaded(installed({ prebuilt: { manifest: { version }, file: 'this is text' } }));
  assert.match(out, new RegExp(`the package lookback-node-${name}: .*(header|short|not a valid|invalid)`, 'i'));
});

test('an override is tried alone', () => {
  const { out } = run(program, { args: [installed()], env: { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere/x.node' } });
  assert.match(out, /the file \/nowhere\/x\.node \(NAPI_RS_NATIVE_LIBRARY_PATH\): there is no such file/);
  assert.doesNotMatch(out, /the package/);
});

test('every platform has its name, and others are told so', () => {
  const [gnu, musl] = [() => ({ libc: 'gnu', how: 'so' }), () => ({ libc: 'musl', how: 'so' })];
  const names = [
    ['linux', 'x64', gnu], ['linux', 'arm64', gnu], ['linux', 'x64', musl], ['linux', 'arm64', musl],
    ['darwin', 'x64'], ['darwin', 'arm64'], ['win32', 'x64'],
  ].map((machine) => platform(...machine).name);
  assert.deepEqual(names, [
    'linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'linux-arm64-musl', 'darwin-x64', 'darwin-arm64', 'win32-x64-msvc',
  ]);
  assert.match(platform('freebsd', 'x64').refused, /no build for freebsd on x64/);
  assert.match(platform('linux', 'constructor').refused, /no build/);
  assert.match(platform('win32', 'ia32').refused, /no build/);
});

test('the C library is that of the process, whatever else lies on the machine', { skip: process.platform !== 'linux' }, () => {
  const glibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  assert.equal(detectLibc().libc, glibc ? 'gnu' : 'musl');
  assert.match(detectLibc().how, /in this process/);
  // What fools a look at the machine: ldd of musl on PATH, a loader of musl in /lib.
  const maps = (text) => detectLibc(() => text).libc;
  assert.equal(maps('7f00 r-xp /usr/lib/x86_64-linux-gnu/libc.so.6\n7f01 r--p /home/musl/ld-musl-notes.txt\n'), 'gnu');
  assert.equal(maps('7f00 r-xp /lib/ld-musl-x86_64.so.1\n'), 'musl');
  assert.equal(maps('7f00 r-xp /lib/ld-musl-aarch64.so.1\n7f01 r-xp /usr/lib/libc.so.6.bak\n'), 'musl');
});

test('the folders to publish work as they are installed', () => {
  const out = path.join(folder(), 'node_modules');
  const made = spawnSync(process.execPath, [path.join(PACKAGE, 'scripts/package.mjs'), out, addon], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  assert.deepEqual(fs.readdirSync(out).sort(), ['lookback-node', `lookback-node-${name}`]);
  const manifest = JSON.parse(fs.readFileSync(path.join(out, 'lookback-node/package.json')));
  assert.deepEqual(Object.keys(manifest.optionalDependencies).sort(), Object.keys(PLATFORMS).map((each) => `lookback-node-${each}`).sort());
  assert.equal(manifest.scripts ?? manifest.devDependencies, undefined);
  assert.equal(loaded(path.join(out, 'lookback-node')).out.trim(), EXPORTS);
  const own = JSON.parse(fs.readFileSync(path.join(out, `lookback-node-${name}/package.json`)));
  assert.deepEqual([own.version, own.os, own.cpu], [version, [process.platform], [process.arch]]);
});

test('the package holds no install script and names only files that exist', () => {
  const manifest = require('../package.json');
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) assert.equal(manifest.scripts[script], undefined);
  for (const file of [...manifest.files, manifest.main, manifest.types, 'README.md']) {
    assert.ok(fs.existsSync(path.join(PACKAGE, file)), file);
  }
  const lock = fs.readFileSync(path.join(PACKAGE, 'package-lock.json'), 'utf8');
  for (const [, host] of lock.matchAll(/"resolved": "https?:\/\/([^/"]+)/g)) assert.match(host, /npmjs/);
});

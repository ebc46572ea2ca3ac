'use strict';

// Finds the compiled part: the package for this platform, or else a file that was built here.

const fs = require('node:fs');
const path = require('node:path');

const NAME = 'lookback-node';
const { version: VERSION } = require('./package.json');
/** Names a compiled part to load in place of all others; the name is the one that napi's own loaders know. */
const OVERRIDE = 'NAPI_RS_NATIVE_LIBRARY_PATH';

/**
 * Which C library this process runs on. What counts is the process, not the machine: both can be installed on one.
 *
 * @returns {{ libc: 'gnu' | 'musl', how: string }}
 */
function detectLibc(readMaps = () => fs.readFileSync('/proc/self/maps', 'utf8')) {
  try {
    const loaded = readMaps().matchAll(/ r-xp?.*\/((?:ld-musl-|libc\.musl-)[\w-]+\.so\.1|libc\.so\.6|libc-2\.\d+\.so)$/gm);
    const [first] = loaded;
    if (first) return { libc: /musl/.test(first[1]) ? 'musl' : 'gnu', how: `${first[1]} is loaded in this process` };
  } catch {
    // No /proc: the report of Node knows as well.
  }
  try {
    const { excludeNetwork } = process.report;
    // Names of hosts would be looked up, which can take long.
    process.report.excludeNetwork = true;
    const { header } = process.report.getReport();
    process.report.excludeNetwork = excludeNetwork;
    if (header.glibcVersionRuntime) return { libc: 'gnu', how: 'Node reports glibc' };
    return { libc: 'musl', how: 'Node reports no glibc' };
  } catch {
    return { libc: 'gnu', how: 'nothing says otherwise' };
  }
}

/** The platforms that there are builds for, with the words by which npm chooses a package. */
const PLATFORMS = {
  'linux-x64-gnu': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'linux-x64-musl': { os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'linux-arm64-gnu': { os: ['linux'], cpu: ['arm64'], libc: ['glibc'] },
  'linux-arm64-musl': { os: ['linux'], cpu: ['arm64'], libc: ['musl'] },
  'darwin-x64': { os: ['darwin'], cpu: ['x64'] },
  'darwin-arm64': { os: ['darwin'], cpu: ['arm64'] },
  'win32-x64-msvc': { os: ['win32'], cpu: ['x64'] },
};

/** The name of the platform as packages and files have it, or the reason why there is none. */
function platform(os = process.platform, arch = process.arch, libc = detectLibc) {
  const fits = Object.entries(PLATFORMS).filter(([, { os: [system], cpu: [cpu] }]) => system === os && cpu === arch);
  if (fits.length === 0) return { refused: `there is no build for ${os} on ${arch}` };
  if (os !== 'linux') return { name: fits[0][0] };
  const found = libc();
  return { name: fits.find(([name]) => name.endsWith(found.libc))[0], how: found.how };
}

/** What went wrong, on one line and without a stack. */
function reason(error) {
  return String(error?.message ?? error).split('\n')[0];
}

/** What to try, in this order: names for people, and functions. */
function attempts(name, folder, load) {
  const file = (where) => () => {
    if (!fs.existsSync(where)) throw new Error('there is no such file');
    return load(where);
  };
  const given = process.env[OVERRIDE];
  if (given) return [[`the file ${given} (${OVERRIDE})`, file(path.resolve(given))]];
  if (!name) return [];
  const prebuilt = `${NAME}-${name}`;
  const local = path.join(folder, `${NAME}.${name}.node`);
  const fromPackage = () => {
    const { version } = load(`${prebuilt}/package.json`);
    if (version !== VERSION) throw new Error(`it has version ${version}, and ${NAME} has ${VERSION}`);
    return load(prebuilt);
  };
  return [[`the package ${prebuilt}`, fromPackage], [`the file ${local}`, file(local)]];
}

/**
 * Loads the compiled part.
 *
 * @param {string} folder where a local build lies
 * @param {(name: string) => any} load `require`, starting from the package
 * @throws {Error} with the code `native-missing`, naming what was tried and why it failed
 */
function load(folder = __dirname, load = require) {
  const { name, how, refused } = platform();
  const tried = [];
  for (const [what, attempt] of attempts(name, folder, load)) {
    try {
      return attempt();
    } catch (error) {
      tried.push({ what, error });
    }
  }
  const lines = tried.map(({ what, error }) => `  ${what}: ${reason(error)}`);
  const hint = name
    ? `Install it with \`npm install ${NAME}\` without --omit=optional, or build it with \`npm run build:release\` in a checkout.`
    : `Builds exist for Linux (x64, arm64; glibc and musl), macOS (x64, arm64) and Windows (x64).`;
  const where = refused ?? `this is ${name}${how ? ` (${how})` : ''}`;
  const message = [`cannot load the compiled part of ${NAME}: ${where}`, ...lines, hint].join('\n');
  const error = new Error(message, { cause: tried.at(-1)?.error });
  error.name = 'LookbackError';
  error.code = 'native-missing';
  throw error;
}

module.exports = { PLATFORMS, detectLibc, load, platform };

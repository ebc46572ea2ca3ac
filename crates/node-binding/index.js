'use strict';

const os = require('node:os');
const native = require('./loader.js').load();

/** What only JavaScript knows of the world; options go before it. */
function withHost(options) {
  if (options !== undefined && options !== null && (typeof options !== 'object' || Array.isArray(options))) {
    return options; // Refused by the compiled part, with a proper error.
  }
  const given = { ...options };
  given.env ??= process.env;
  given.home ??= os.homedir();
  given.cwd ??= process.cwd();
  return given;
}

/** Calls with the host's values; what goes wrong on the way is a rejected promise as well. */
function hosted(call) {
  return async (options) => call(withHost(options));
}

// Node waits for its worker threads when it exits, so they must come to an end.
process.once('exit', () => native.endCalls?.());

const { Lookback } = native;
Object.defineProperty(Lookback, 'open', { value: hosted(Lookback.open), writable: true, configurable: true });

// One line each: that is how Node finds the names for `import`.
module.exports.Lookback = Lookback;
module.exports.locate = hosted(native.locate);
module.exports.parseGeneratedTags = native.parseGeneratedTags;
module.exports.scanUnread = native.scanUnread;
module.exports.toolDefinitions = native.toolDefinitions;

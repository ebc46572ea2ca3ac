// The settings file of the extension: `<agent folder>/pi-recall/config.json`.

import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { checked } from './check.ts';
import { type Config, DEFAULTS } from './settings.ts';

/** What was read, from where, and what was wrong with it. */
export interface ConfigFile {
  config: Config;
  path: string;
  /** One sentence for each thing that was not understood. Never a reason to stop. */
  problems: string[];
}

/** Settings are written by hand; a file of this size is something else. */
const MAX_BYTES = 1024 * 1024;

type Environment = Record<string, string | undefined>;

/** The path of the settings file. */
export function configPath(agentDir: string, env: Environment = process.env): string {
  if (env.PI_RECALL_CONFIG_FILE) return expanded(env.PI_RECALL_CONFIG_FILE);
  const data = env.PI_RECALL_DATA_DIR ? expanded(env.PI_RECALL_DATA_DIR) : join(agentDir, 'pi-recall');
  return join(data, 'config.json');
}

/** Reads the settings. A file that cannot be read or understood leaves the defaults, and says so. */
export function readConfig(agentDir: string, knownTools: readonly string[], env: Environment = process.env): ConfigFile {
  const path = configPath(agentDir, env);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return { config: DEFAULTS, path, problems: [] };
    // A pipe would be waited for, and a device has no end; Pi would not start.
    if (!found.isFile()) throw new Error('it is no file');
    if (found.size > MAX_BYTES) throw new Error('it is larger than 1 MiB');
    const given: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
    return { ...checked(given, knownTools), path };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { config: DEFAULTS, path, problems: [`it cannot be read, so the defaults are used: ${reason}`] };
  }
}

function expanded(path: string): string {
  return resolve(path.replace(/^~(?=$|[/\\])/, homedir()));
}

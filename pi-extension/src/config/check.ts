// Takes what a settings file says and keeps what makes sense.

import { type Config, DEFAULTS, ENGINES, RANKINGS } from './settings.ts';

type Given = Record<string, unknown>;

/** The fewest and the most tags that can be asked for. */
const TAGS = { least: 3, most: 10 };

/** The settings, and a sentence for each value that was not used. */
export function checked(given: unknown, knownTools: readonly string[]): { config: Config; problems: string[] } {
  const problems: string[] = [];
  const config: Config = { ...DEFAULTS, autoTags: { ...DEFAULTS.autoTags } };
  if (!isObject(given)) return { config, problems: ['it is no JSON object, so the defaults are used'] };

  const known: Record<string, (value: unknown) => void> = {
    autoTags: (value) => autoTags(value, config, problems),
    tools: (value) => {
      const names = texts(value, 'tools', problems);
      if (!names) return;
      const unknown = names.filter((name) => !knownTools.includes(name));
      if (unknown.length) problems.push(`tools: there is no ${quoted(unknown)}; there are ${quoted(knownTools)}`);
      config.tools = [...new Set(names.filter((name) => knownTools.includes(name)))];
    },
    engine: (value) => (config.engine = oneOf(value, ENGINES, 'engine', problems) ?? config.engine),
    exclude: (value) => (config.exclude = texts(value, 'exclude', problems) ?? config.exclude),
    roots: (value) => (config.roots = texts(value, 'roots', problems) ?? config.roots),
    ranking: (value) => (config.ranking = oneOf(value, RANKINGS, 'ranking', problems) ?? config.ranking),
    redact: (value) => {
      // Anything but a plain "false" leaves it on.
      if (typeof value === 'boolean') config.redact = value;
      else problems.push('redact: it can be true or false; true is used');
    },
  };
  for (const [key, value] of Object.entries(given)) {
    if (Object.hasOwn(known, key)) known[key]?.(value);
    else problems.push(`it has the key ${quoted([key])}, which means nothing; keys are ${quoted(Object.keys(known))}`);
  }
  return { config, problems };
}

function autoTags(value: unknown, config: Config, problems: string[]): void {
  if (!isObject(value)) {
    problems.push('autoTags: an object is needed, such as {"model": "provider/model-id"}');
    return;
  }
  const { model, minimum, maximum, ...rest } = value;
  const unknown = Object.keys(rest);
  if (unknown.length) problems.push(`autoTags: ${quoted(unknown)} means nothing; keys are "model", "minimum", "maximum"`);
  if (model !== undefined) {
    if (typeof model === 'string' && /^[^/\s]+\/\S/.test(model)) config.autoTags.model = model;
    else problems.push('autoTags.model: write it as "provider/model-id"');
  }
  const count = (number: unknown, name: string, otherwise: number): number => {
    if (number === undefined) return otherwise;
    const taken = typeof number === 'number' ? Math.min(Math.max(Math.round(number), TAGS.least), TAGS.most) : otherwise;
    const used = Number.isNaN(taken) ? otherwise : taken;
    if (used !== number) problems.push(`autoTags.${name}: a whole number from ${TAGS.least} to ${TAGS.most} is needed; ${used} is used`);
    return used;
  };
  const least = count(minimum, 'minimum', DEFAULTS.autoTags.minimum);
  const most = count(maximum, 'maximum', Math.max(DEFAULTS.autoTags.maximum, least));
  if (minimum !== undefined && maximum !== undefined && least > most) {
    problems.push('autoTags: the minimum is above the maximum, so the defaults are used');
    return;
  }
  config.autoTags.minimum = Math.min(least, most);
  config.autoTags.maximum = most;
}

const isObject = (value: unknown): value is Given => typeof value === 'object' && value !== null && !Array.isArray(value);

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

function texts(value: unknown, name: string, problems: string[]): string[] | undefined {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')) return value;
  problems.push(`${name}: a list of texts is needed`);
  return undefined;
}

function oneOf<T extends string>(value: unknown, names: readonly T[], key: string, problems: string[]): T | undefined {
  const found = names.find((name) => name === value);
  if (!found) problems.push(`${key}: it can be ${quoted(names)}`);
  return found;
}

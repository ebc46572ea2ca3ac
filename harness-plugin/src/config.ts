// What a profile can set.

import z from '@deepseek-ai/schemastery';
import { LIMITS } from './limits.ts';

/** The settings of the plugin. */
export interface Settings {
  /** How many session files a scan reads, the newest ones. */
  maxSessions: number;
  /** Whether models get the tool `recall` as well. */
  recall: boolean;
}

const inBounds = z.number().min(1).max(LIMITS.allowedSessions).step(1);

const maxSessions = z
  // A number that is none, which YAML can spell, says nothing about how many.
  .transform(z.number(), (value: number) => (Number.isFinite(value) ? inBounds(value, { path: ['maxSessions'] }) : LIMITS.sessions))
  .min(1)
  .max(LIMITS.allowedSessions)
  .step(1)
  .default(LIMITS.sessions)
  .description('How many session files a scan reads, the newest ones.');

const settings: z<Partial<Settings>, Settings> = z.object({
  maxSessions,
  recall: z.boolean().default(false).description('Give models the tool `recall` as well.'),
});

/** The schema of the settings, for Cordis and for forms. What it does not name is refused. */
export const Config: typeof settings = new Proxy(settings, {
  apply: (schema, self, [given, ...rest]) => Reflect.apply(schema, self, [known(given), ...rest]),
  get: (schema, name, self) => (name === '~standard' ? { ...schema['~standard'], validate } : Reflect.get(schema, name, self)),
});

function validate(given: unknown): ReturnType<(typeof settings)['~standard']['validate']> {
  try {
    return { value: Config(given as Partial<Settings>) };
  } catch (error) {
    return { issues: [{ message: (error as Error).message }] };
  }
}

/** A schema of this kind would let keys pass that it does not name. */
function known<T>(given: T): T {
  const names = Object.keys(settings.dict ?? {});
  const unknown = Object.keys(given ?? {}).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new TypeError(`Recall Unread has no setting ${JSON.stringify(unknown.slice(0, 100))}; it has ${names.join(', ')}`);
  }
  return given;
}

/**
 * The settings in force. A host can leave the schema out, so this looks again.
 *
 * @throws TypeError for a key that does not exist or a value that makes no sense
 */
export function settingsOf(config?: Partial<Settings> | null): Settings {
  return Config(config ?? {});
}

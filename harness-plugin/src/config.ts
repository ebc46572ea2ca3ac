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

const schema: z<Partial<Settings>, Settings> = z.object({
  maxSessions: z
    .number()
    .min(1)
    .max(LIMITS.allowedSessions)
    .step(1)
    .default(LIMITS.sessions)
    .description('How many session files a scan reads, the newest ones.'),
  recall: z.boolean().default(false).description('Give models the tool `recall` as well.'),
});

const NAMES = Object.keys(schema.dict ?? {});

/** The schema of the settings, for Cordis and for forms. What it does not name is refused. */
export const Config: typeof schema = new Proxy(schema, {
  apply: (target, self, [given, ...rest]) => Reflect.apply(target, self, [usable(given), ...rest]),
  get: (target, name, self) => (name === '~standard' ? { ...target['~standard'], validate } : Reflect.get(target, name, self)),
});

function validate(given: unknown): ReturnType<(typeof schema)['~standard']['validate']> {
  try {
    return { value: Config(given as Partial<Settings>) };
  } catch (error) {
    return { issues: [{ message: (error as Error).message }] };
  }
}

/**
 * What a schema of this kind cannot say: that there are no other settings, and that a number which is none, as YAML can
 * spell it, stands for the default.
 */
function usable(given: Partial<Settings> | null | undefined): typeof given {
  const unknown = Object.keys(given ?? {}).find((key) => !NAMES.includes(key));
  if (unknown !== undefined) {
    throw new TypeError(`Recall Unread has no setting ${JSON.stringify(unknown.slice(0, 100))}; it has ${NAMES.join(', ')}`);
  }
  const { maxSessions } = given ?? {};
  const isNone = typeof maxSessions === 'number' && !Number.isFinite(maxSessions);
  return isNone ? { ...given, maxSessions: LIMITS.sessions } : given;
}

/**
 * The settings in force. A host can leave the schema out, so this looks again.
 *
 * @throws TypeError for a key that does not exist or a value that makes no sense
 */
export function settingsOf(config?: Partial<Settings> | null): Settings {
  return Config(config ?? {});
}

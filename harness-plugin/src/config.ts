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

/** The schema of the settings, for Cordis and for forms. */
export const Config: z<Partial<Settings>, Settings> = z.object({
  maxSessions,
  recall: z.boolean().default(false).description('Give models the tool `recall` as well.'),
});

const NAMES = ['maxSessions', 'recall'];

/**
 * The settings in force. The schema lets unknown keys pass, and a host can leave the schema out, so this looks again.
 *
 * @throws TypeError for a key that does not exist or a value that makes no sense
 */
export function settingsOf(config: Partial<Settings> | null = {}): Settings {
  const unknown = Object.keys(config ?? {}).find((key) => !NAMES.includes(key));
  if (unknown !== undefined) {
    throw new TypeError(`Recall Unread has no setting ${JSON.stringify(unknown.slice(0, 100))}; it has ${NAMES.join(', ')}`);
  }
  return Config(config);
}

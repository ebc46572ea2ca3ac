// The bounds of the scanner, as the panel and the schema of the tool show them before the first scan. They are set in
// Rust (`lookback_unread::limits`); a test compares the two.

export const LIMITS = {
  directoryEntries: 4_096,
  sessionBytes: 4_194_304,
  sessions: 100,
  allowedSessions: 500,
  readConcurrency: 8,
  contentParts: 1_000,
  previewCharacters: 500,
  panelItems: 50,
  toolItems: 100,
  queryCharacters: 120,
  sessionIdCharacters: 256,
  sessionNameCharacters: 256,
  sessionPathCharacters: 4_096,
} as const;

/** The bounds of one scan. */
export type Limits = { readonly [name in keyof typeof LIMITS]: number };

/** The largest `offset` of a page. */
export const MAX_OFFSET = LIMITS.allowedSessions;

/** The bounds of a scan that reads at most so many sessions. */
export function limitsWith(sessions: number): Limits {
  return { ...LIMITS, sessions };
}

// What can be set, and what holds where nothing is.

/** How hits can be ordered. */
export const RANKINGS = ['default', 'recall', 'memory', 'strict'] as const;
/** What can answer a search. */
export const ENGINES = ['index', 'scan'] as const;

/** The settings, every one with its value. */
export interface Config {
  /** How tags are generated. */
  autoTags: {
    /** `provider/model-id`; the model of the session where it is missing. */
    model?: string;
    /** At least so many tags. */
    minimum: number;
    /** At most so many. */
    maximum: number;
  };
  /** The tools that models get. */
  tools: string[];
  /** Whether searches ask an index or read the files. */
  engine: (typeof ENGINES)[number];
  /** Patterns of names of folders that are left out. */
  exclude: string[];
  /** Session folders in place of Pi's own. */
  roots: string[];
  /** How hits are ordered. */
  ranking: (typeof RANKINGS)[number];
  /** Whether secrets of known shape are replaced in what tools tell a model. */
  redact: boolean;
}

export const DEFAULTS: Config = {
  autoTags: { minimum: 3, maximum: 7 },
  tools: ['recall'],
  engine: 'index',
  exclude: [],
  roots: [],
  ranking: 'default',
  redact: true,
};

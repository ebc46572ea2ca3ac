// What stands behind `/recall`.

/** The subcommands with what they do, for completion and help. */
export const SUBCOMMANDS = {
  search: 'search, also for words that are commands: /recall search tag',
  tag: 'tag this session: /recall tag #rust #ci',
  untag: 'take tags away from this session',
  tags: 'tags of this session, and all tags',
  autotag: 'let a model find tags for this session (--all-untagged: for all without)',
  unread: 'sessions whose last message has no answer',
  status: 'what is indexed, and where it lies',
  help: 'how to ask, keys and commands',
} as const;

export type Subcommand = keyof typeof SUBCOMMANDS;

/** A command line taken apart. */
export interface Words {
  /** `search` where no subcommand is named: then everything is the query. */
  subcommand: Subcommand;
  /** What stands behind the subcommand. */
  rest: string;
}

/** Takes a command line apart. A name counts only as a whole first word: `tagging` is a query. */
export function words(line: string): Words {
  const text = line.trim();
  const [first = ''] = text.split(/\s/, 1);
  if (Object.hasOwn(SUBCOMMANDS, first)) {
    return { subcommand: first as Subcommand, rest: text.slice(first.length).trim() };
  }
  return { subcommand: 'search', rest: text };
}

/** Tags with or without `#`, separated by white space or commas. */
export function tagsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word.replace(/^#+/, '') !== '');
}

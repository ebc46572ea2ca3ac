import { SUBCOMMANDS } from './words.ts';

const width = Math.max(...Object.keys(SUBCOMMANDS).map((name) => name.length));

/** What `/recall help` says. */
export const HELP = `/recall            pick a past session; type to search
/recall <query>    the same, beginning with a query
${Object.entries(SUBCOMMANDS)
  .map(([name, what]) => `/recall ${name.padEnd(width)}  ${what}`)
  .join('\n')}
/recall-reindex    build the index anew; tags stay

Queries: words, "a phrase", prefix*, -without, AND, OR, NEAR(a b, 5), #tag, role:user, cwd:., name:, model:,
after:7d, before:2026-01-31, branch:abandoned, is:fork

Keys: enter resumes, ctrl+g (alt+enter) resumes at the message that matched, tab changes between this folder and all
projects, up/down and page up/down move, escape closes`;

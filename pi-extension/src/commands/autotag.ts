// `/recall autotag`: tags that a model finds. The one thing here that sends something away, so it asks first.

import type { Lookback, Session } from 'lookback-node';
import type { Config } from '../config/settings.ts';
import { placeOf } from '../engine/place.ts';
import { pageOfSessions } from '../engine/listing.ts';
import { counted } from '../text/moments.ts';
import { plain } from '../text/terminal-text.ts';
import { sentence, speak } from '../text/speak.ts';
import { type Asked, generateTags, modelFor } from '../tagging/generate.ts';
import type { Command } from './command.ts';
import { withProgress } from './progress.ts';
import { described } from './tags.ts';

const ALL = '--all-untagged';
const YES = '--yes';

export async function autotag(text: string, command: Command): Promise<void> {
  const { ctx } = command;
  const flags = text.split(/\s+/).filter(Boolean);
  const unknown = flags.filter((flag) => flag !== ALL && flag !== YES);
  if (unknown.length) {
    return speak(ctx, `Lookback: autotag knows ${ALL} and ${YES}, not ${plain(unknown.join(' '))}.`, 'warning');
  }
  const asked = modelFor(ctx, command.engine.config.autoTags);
  const isSure = flags.includes(YES);
  await (flags.includes(ALL) ? tagAll(command, asked, isSure) : tagCurrent(command, asked, isSure));
}

async function tagCurrent({ engine, ctx }: Command, asked: Asked, isSure: boolean): Promise<void> {
  const place = placeOf(ctx);
  const lookback = await engine.open(place);
  const question = `An excerpt of this session, at most 12,000 characters, goes to ${asked.name}.`;
  if (!(await agreed(ctx, 'Find tags for this session?', question, isSure))) return;
  const tags = await withProgress(ctx, `Asking ${asked.name} for tags`, (_tell, signal) =>
    generateTags(engine.addon(), lookback, place.file ?? place.session, asked, signal),
  );
  if (tags === undefined) return speak(ctx, 'Lookback: stopped; the tags are as they were.', 'warning');
  speak(ctx, tags === null ? 'Nothing was said in this session yet, so there is nothing to tag.' : described(tags));
}

async function tagAll({ engine, ctx }: Command, asked: Asked, isSure: boolean): Promise<void> {
  const lookback = await engine.open(placeOf(ctx));
  const sessions = await withProgress(ctx, 'Looking for sessions without tags', (tell, signal) =>
    untagged(lookback, engine.config.engine, tell, signal),
  );
  if (!sessions) return speak(ctx, 'Lookback: stopped.', 'warning');
  if (!sessions.length) return speak(ctx, 'Every session has tags.');
  const count = counted(sessions.length, 'session');
  const question = `Of each an excerpt, at most 12,000 characters, goes to ${asked.name}: one request for each session.`;
  if (!(await agreed(ctx, `Find tags for ${count}?`, question, isSure))) return;

  const outcome = { tagged: 0, empty: 0, failed: [] as string[] };
  const done = await withProgress(ctx, `Asking ${asked.name} for tags of ${count}`, async (tell, signal) => {
    for (const [index, session] of sessions.entries()) {
      signal.throwIfAborted();
      tell(`${index + 1} of ${sessions.length}`);
      try {
        const tags = await generateTags(engine.addon(), lookback, session.path, asked, signal);
        outcome[tags === null ? 'empty' : 'tagged'] += 1;
      } catch (error) {
        signal.throwIfAborted();
        outcome.failed.push(`${session.id.slice(0, 8)} ${plain(session.title).slice(0, 60)}: ${plain(sentence(error))}`);
      }
    }
    return true;
  });
  const lines = [
    `${done ? 'Lookback' : 'Lookback: stopped'}: ${outcome.tagged} of ${count} tagged${outcome.empty ? `, ${outcome.empty} hold nothing to tag` : ''}${outcome.failed.length ? `, ${outcome.failed.length} failed:` : '.'}`,
    ...outcome.failed.slice(0, 20),
    ...(outcome.failed.length > 20 ? [`… and ${outcome.failed.length - 20} more`] : []),
  ];
  speak(ctx, lines.join('\n'), outcome.failed.length || !done ? 'warning' : 'info');
}

/** Asks before anything leaves the machine. Where nobody can be asked, only a flag is a yes. */
async function agreed(ctx: Command['ctx'], title: string, question: string, isSure: boolean): Promise<boolean> {
  if (isSure) return true;
  if (ctx.hasUI) return ctx.ui.confirm(title, question);
  speak(ctx, `${title} ${question} Nobody can be asked here: add ${YES} to agree.`, 'warning');
  return false;
}

/** All sessions without manual or generated tags. */
async function untagged(
  lookback: Lookback,
  engine: Config['engine'],
  tell: (text: string) => void,
  signal: AbortSignal,
): Promise<Session[]> {
  const found: Session[] = [];
  if (engine === 'index') {
    await lookback.sync({ signal, onProgress: ({ filesDone, filesTotal }) => tell(`${filesDone} of ${filesTotal}`) });
  }
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page = await pageOfSessions(lookback, engine, { offset, limit: 100, sync: false, signal });
    found.push(...page.sessions.filter(({ tags }) => tags.length === 0));
    offset = page.nextOffset;
  }
  return found;
}

// Tags of the session that is open.

import type { Lookback, SessionTags } from 'lookback-node';
import { type Place, placeOf } from '../engine/place.ts';
import { plain } from '../text/terminal-text.ts';
import { speak } from '../text/speak.ts';
import type { Command } from './command.ts';
import { tagsIn } from './words.ts';

/** `/recall tag #a #b`. */
export async function tag(text: string, command: Command): Promise<void> {
  const tags = tagsIn(text);
  if (!tags.length) return speak(command.ctx, 'Say which tags: /recall tag #rust #ci', 'warning');
  await changed(command, (lookback, place) => lookback.tag(place.session, tags, { open: true }));
}

/** `/recall untag #a`. */
export async function untag(text: string, command: Command): Promise<void> {
  const tags = tagsIn(text);
  if (!tags.length) return speak(command.ctx, 'Say which tags: /recall untag #ci', 'warning');
  await changed(command, (lookback, place) => lookback.untag(place.session, tags, { open: true }));
}

/** `/recall tags`. */
export async function showTags({ engine, ctx }: Command): Promise<void> {
  const place = placeOf(ctx);
  const lookback = await engine.open(place);
  const own = await lookback.tagsOf(place.session, { open: true });
  const { tags, notices } = await lookback.tags();
  const shown = tags.slice(0, 50).map(({ tag: name, sessions }) => `#${plain(name)} ${sessions}`);
  const more = tags.length > shown.length ? `, and ${tags.length - shown.length} more` : '';
  const lines = [described(own), tags.length ? `All tags: ${shown.join(', ')}${more}` : 'No session has a tag yet.'];
  speak(ctx, [...lines, ...notices.map(plain)].join('\n'));
}

async function changed(
  { engine, ctx }: Command,
  change: (lookback: Lookback, place: Place) => Promise<SessionTags>,
): Promise<void> {
  const place = placeOf(ctx);
  if (!place.file) {
    return speak(ctx, 'This session is not kept (--no-session), so tags on it would be lost.', 'warning');
  }
  speak(ctx, described(await change(await engine.open(place), place)));
}

/** The tags of a session in one line. */
export function described({ manual, generated }: SessionTags): string {
  const list = (tags: string[]): string => tags.map((name) => `#${plain(name)}`).join(' ');
  if (!manual.length && !generated.length) return 'This session has no tags.';
  const parts = [manual.length ? list(manual) : '', generated.length ? `${list(generated)} (generated)` : ''];
  return `Tags of this session: ${parts.filter(Boolean).join(' ')}`;
}

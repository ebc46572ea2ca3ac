// Completion of what is typed behind `/recall `.

import type { AutocompleteItem } from '@earendil-works/pi-tui';
import type { Engine } from '../engine/engine.ts';
import type { Place } from '../engine/place.ts';
import { plain } from '../text/terminal-text.ts';
import { SUBCOMMANDS } from './words.ts';

/** Tags that are offered at once. */
const SHOWN = 30;

/**
 * What `prefix`, everything behind the command, can become.
 *
 * Nothing is offered before the first letter: Pi takes Enter for the offer while one is open, and `/recall` followed by
 * Enter has to open the picker.
 */
export async function completions(prefix: string, engine: Engine, place?: Place): Promise<AutocompleteItem[] | null> {
  const typed = prefix.trimStart();
  if (!typed) return null;
  if (!/\s/.test(typed)) return typed.startsWith('#') ? tags(typed, '', engine, place) : named(typed);
  const [, before = '', last = ''] = /^(.*\s)(\S*)$/s.exec(typed) ?? [];
  const isTagging = /^(un)?tag\s/.test(typed);
  if (isTagging || last.startsWith('#')) return tags(last, before, engine, place, typed.startsWith('untag '));
  const flag = '--all-untagged';
  if (/^autotag\s/.test(typed) && flag.startsWith(last) && last !== flag) {
    return [{ value: `${before}${flag}`, label: flag, description: 'all sessions without tags; asks first' }];
  }
  return null;
}

function named(typed: string): AutocompleteItem[] | null {
  // A name that is there in full is run by Enter.
  if (Object.hasOwn(SUBCOMMANDS, typed)) return null;
  const found = Object.entries(SUBCOMMANDS).filter(([name]) => name.startsWith(typed));
  return found.length ? found.map(([name, description]) => ({ value: name, label: name, description })) : null;
}

async function tags(
  typed: string,
  before: string,
  engine: Engine,
  place?: Place,
  ofSession = false,
): Promise<AutocompleteItem[] | null> {
  if (!place) return null;
  const start = typed.replace(/^#+/, '').toLowerCase();
  const lookback = await engine.open(place);
  const known = ofSession
    ? (await lookback.tagsOf(place.session, { open: true })).tags.map((tag) => ({ tag, sessions: 0 }))
    : (await lookback.tags()).tags;
  const found = known.filter(({ tag }) => tag.startsWith(start) && tag !== start).slice(0, SHOWN);
  if (!found.length) return null;
  return found.map(({ tag, sessions }) => ({
    value: `${before}#${tag}`,
    label: `#${plain(tag)}`,
    ...(sessions ? { description: sessions === 1 ? '1 session' : `${sessions} sessions` } : {}),
  }));
}

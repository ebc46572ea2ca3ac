// Sessions that wait for an answer as a source for the picker.

import type { Lookback } from 'lookback-node';
import type { Place } from '../engine/place.ts';
import { PAGE, type Question, type Source } from './asking.ts';
import { rowOfUnread } from './row.ts';
import type { Found, State } from './state.ts';

/** The longest query that the list takes. */
const QUERY = 120;

export function waiting(lookback: Pick<Lookback, 'unread'>, place: Place): Source {
  const find = async ({ query, scope, offset, signal }: Question): Promise<Found> => {
    const page = await lookback.unread({
      query: query.trim().slice(0, QUERY),
      offset,
      limit: PAGE,
      activeId: place.session,
      ...(place.file ? { activePath: place.file } : {}),
      ...(scope === 'current' ? { cwd: place.cwd } : {}),
      signal,
    });
    const { available, scanned, truncated } = page.inventory;
    return {
      rows: page.items.map(rowOfUnread),
      corpus: scanned,
      matched: page.total,
      notes: truncated ? [`only the newest ${scanned} of ${available} sessions were looked at`] : [],
      ...(page.nextOffset === undefined ? {} : { nextOffset: page.nextOffset }),
    };
  };
  return { find };
}

/** What to say where nothing waits. */
export function nothing({ query, scope }: Pick<State, 'query' | 'scope'>): string {
  const where = scope === 'current' ? ' in this folder.' : '.';
  return query ? `No waiting session matches${where}` : `No session waits for an answer${where}`;
}

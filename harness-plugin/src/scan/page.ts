// From what the add-on found to the JSON that models and panels get.

import type { UnreadPage, UnreadScanInventory, UnreadSession } from 'lookback-node';

/** A session that waits for an answer. */
export interface Session {
  id: string;
  /** Its file. */
  path: string;
  /** Its workspace. */
  cwd: string;
  name: string;
  /** When its file was last written, as ISO 8601. */
  modified: string;
  messageCount: number;
  /** The start of the message that waits. */
  message: string;
}

/** How much a scan looked at, and what was cut. */
export type Counts = UnreadScanInventory;

/** What a call of the tool answers, as text and as details. */
export interface Page {
  total: number;
  items: Session[];
  offset: number;
  returned: number;
  nextOffset: number | null;
  previewCharacters: number;
  inventory: Counts & { matched: number; resultTruncated: boolean };
}

/** A session with nothing in it that JSON would change. */
export function sessionOf({ id, path, cwd, name, modified, messageCount, message }: UnreadSession): Session {
  return { id, path, cwd, name, modified: modified.toISOString(), messageCount, message };
}

/** A page with nothing in it that JSON would change. The add-on has cut it to what may be handed to a model. */
export function pageOf(page: UnreadPage): Page {
  const { total, items, offset, returned, nextOffset, previewCharacters, inventory } = page;
  return {
    total,
    items: items.map(sessionOf),
    offset,
    returned,
    nextOffset: nextOffset ?? null,
    previewCharacters,
    inventory: { ...inventory },
  };
}

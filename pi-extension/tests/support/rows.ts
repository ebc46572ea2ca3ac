import type { Row } from '../../src/picker/row.ts';

/** A row of the picker. */
export function row(session: string, more: Partial<Row> = {}): Row {
  return {
    session,
    path: `/sessions/${session}.jsonl`,
    title: `Session ${session}`,
    cwd: '/home/u/shop',
    time: new Date('2026-03-01T10:00:00Z'),
    messages: 12,
    tags: [],
    copies: 0,
    ...more,
  };
}

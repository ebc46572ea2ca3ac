import { nothing, waiting } from '../picker/waiting.ts';
import { choose } from './choose.ts';
import type { Command } from './command.ts';

/** `/recall unread [words]`. */
export async function unread(query: string, command: Command): Promise<void> {
  await choose(
    {
      title: 'Unread',
      query,
      scope: 'current',
      source: waiting,
      nothing,
      action: (lookback) => ({
        key: 'ctrl+x',
        hint: 'ctrl+x mark as done',
        run: async (row) => {
          await lookback.markDone(row.path);
          return `“${row.title}” is done until you write in it again.`;
        },
      }),
    },
    command,
  );
}

import { history, nothing } from '../picker/history.ts';
import { choose } from './choose.ts';
import type { Command } from './command.ts';

/** `/recall [query]`, `/recall search <query>`. */
export async function search(query: string, command: Command): Promise<void> {
  await choose(
    {
      title: 'Recall',
      query,
      scope: 'all',
      source: (lookback, place) => history(lookback, place.cwd, command.engine.config),
      nothing,
    },
    command,
  );
}

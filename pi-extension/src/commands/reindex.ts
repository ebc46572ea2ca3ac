import { placeOf } from '../engine/place.ts';
import { counted } from '../text/moments.ts';
import { speak } from '../text/speak.ts';
import type { Command } from './command.ts';
import { withProgress } from './progress.ts';

/** `/recall-reindex`. */
export async function reindex({ engine, ctx }: Command): Promise<void> {
  if (engine.config.engine === 'scan') {
    return speak(ctx, 'Lookback: the settings say "engine": "scan", so there is no index to build.');
  }
  const lookback = await engine.open(placeOf(ctx));
  const report = await withProgress(ctx, 'Building the index anew', (tell, signal) =>
    lookback.reindex({
      signal,
      onProgress: ({ filesDone, filesTotal }) => tell(`${filesDone.toLocaleString('en')} of ${counted(filesTotal, 'file')}`),
    }),
  );
  if (!report) return speak(ctx, 'Lookback: stopped. The next search goes on where this ended.', 'warning');
  if (report.state === 'busy') {
    return speak(ctx, 'Lookback: another Pi is writing the index; try again when it is done.', 'warning');
  }
  const left = report.failedCount ? `, ${report.failedCount} could not be read` : '';
  speak(ctx, `Lookback: the index was built anew from ${counted(report.files, 'session file')}${left}. Tags are as they were.`);
}

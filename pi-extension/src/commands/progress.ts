// Work that takes a while: shown while it runs, and ended by Escape where there are keys.

import { BorderedLoader, type ExtensionCommandContext } from '@earendil-works/pi-coding-agent';
import { plain } from '../text/terminal-text.ts';
import { isAbort } from '../text/speak.ts';

/** Runs something; nothing comes back when it was ended by the user. */
export async function withProgress<T>(
  ctx: ExtensionCommandContext,
  title: string,
  run: (tell: (text: string) => void, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const key = 'lookback';
  const show = (text: string): void => ctx.ui.setStatus(key, plain(`${title}: ${text}`));
  if (ctx.mode !== 'tui') {
    try {
      return await run(show, ctx.signal ?? new AbortController().signal);
    } catch (error) {
      if (isAbort(error)) return undefined;
      throw error;
    } finally {
      ctx.ui.setStatus(key, undefined);
    }
  }
  type Outcome = { value: T } | { error: unknown } | undefined;
  const outcome = await ctx.ui.custom<Outcome>((tui, theme, _keys, done) => {
    const loader = new BorderedLoader(tui, theme, plain(title), { cancellable: true });
    loader.onAbort = () => done(undefined);
    run(show, loader.signal)
      .then((value) => done({ value }))
      .catch((error: unknown) => done(isAbort(error) ? undefined : { error }));
    return loader;
  });
  ctx.ui.setStatus(key, undefined);
  if (outcome && 'error' in outcome) throw outcome.error;
  return outcome?.value;
}

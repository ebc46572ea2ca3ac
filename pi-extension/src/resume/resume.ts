// Going to another session, or to a message of one.

import type { ExtensionCommandContext } from '@earendil-works/pi-coding-agent';
import { plain } from '../text/terminal-text.ts';
import { sentence, speak } from '../text/speak.ts';

/** Where to go. */
export interface Destination {
  /** The session file. */
  path: string;
  /** Its title, for messages. */
  title: string;
  /** Go on from this entry, on its branch. */
  entry?: string;
  /** It is the session that is open. */
  isCurrent: boolean;
}

/** Goes there. The file must have been checked. */
export async function resume(ctx: ExtensionCommandContext, to: Destination): Promise<void> {
  if (to.isCurrent) {
    if (to.entry) await goTo(ctx, to.entry);
    return;
  }
  // From the switch on, `ctx` is dead; what is left to do is done with the context of the new session.
  const { cancelled } = await ctx.switchSession(to.path, {
    withSession: async (next) => {
      try {
        if (to.entry) await goTo(next, to.entry);
      } catch (error) {
        speak(next, `Lookback: resumed, but not at the message: ${plain(sentence(error))}`, 'warning');
      }
    },
  });
  if (cancelled) speak(ctx, 'Lookback: another extension kept Pi in this session.', 'warning');
}

/** Moves to an entry. Pi puts the text of a user message into the editor and goes to what stands before it. */
async function goTo(ctx: ExtensionCommandContext, entry: string): Promise<void> {
  const { cancelled } = await ctx.navigateTree(entry, { summarize: false });
  if (cancelled) speak(ctx, 'Lookback: another extension kept Pi from moving to the message.', 'warning');
}

// Lookback in Pi. This file only says what there is; the work is done in the folders beside it, which are loaded when
// they are needed. Nothing here may throw or leave a promise alone: either would end Pi.

import { type ExtensionAPI, type ExtensionContext, getAgentDir } from '@earendil-works/pi-coding-agent';
import { readConfig } from './config/file.ts';
import { Engine } from './engine/engine.ts';
import { type Place, placeOf } from './engine/place.ts';
import { plain } from './text/terminal-text.ts';
import { isAbort, sentence, speak } from './text/speak.ts';
import { registerTools, TOOL_NAMES } from './tools/register.ts';

export default function lookback(pi: ExtensionAPI): void {
  const agentDir = getAgentDir();
  const { config, path, problems } = readConfig(agentDir, TOOL_NAMES);
  const engine = new Engine({ agentDir, config });
  /** Where the session of this instance lives, for completions, which get no context. */
  let place: Place | undefined;

  pi.on('session_start', (event, ctx) => {
    place = placeOf(ctx);
    // Once for each start of Pi, not for each session in it.
    if (problems.length && (event.reason === 'startup' || event.reason === 'reload')) {
      speak(ctx, plain(`Lookback: in ${path}: ${problems.join('; ')}`), 'warning');
    }
  });
  pi.on('session_shutdown', () => engine.close());

  registerTools(pi, engine);

  /** What goes wrong in a command is told, not thrown. */
  const told = async (ctx: ExtensionContext, run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (!isAbort(error)) speak(ctx, `Lookback: ${sentence(error)}`, 'error');
    }
  };
  pi.registerCommand('recall', {
    description: 'Search, tag and resume past sessions (/recall help)',
    getArgumentCompletions: async (prefix) => {
      try {
        const { completions } = await import('./commands/completions.ts');
        return await completions(prefix, engine, place);
      } catch {
        return null;
      }
    },
    handler: (args, ctx) =>
      told(ctx, async () => {
        const { recall } = await import('./commands/recall.ts');
        await recall(args, { engine, ctx });
      }),
  });
  pi.registerCommand('recall-reindex', {
    description: 'Build the search index of past sessions anew; tags stay',
    handler: (_args, ctx) =>
      told(ctx, async () => {
        const { reindex } = await import('./commands/reindex.ts');
        await reindex({ engine, ctx });
      }),
  });
}

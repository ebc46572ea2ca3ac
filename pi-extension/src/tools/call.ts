// One call of a tool: from what the model wrote to what it reads.

import type { ExtensionContext } from '@earendil-works/pi-coding-agent';
import type { Progress, ToolDetails, ToolReply } from 'lookback-node';
import type { Engine } from '../engine/engine.ts';
import { liveEntries, placeOf } from '../engine/place.ts';
import { isAbort } from '../text/speak.ts';
import { answered as renamed, asked } from './waiting.ts';

/** What Pi stores beside an answer: the outline of it, or how far the reading of new sessions is. */
export type Details = Partial<ToolDetails> & { progress?: Progress };

/** What a tool gives to Pi. */
export interface Answer {
  content: { type: 'text'; text: string }[];
  details: Details;
}

/** Asks the engine. What goes wrong is thrown as a sentence for the model. */
export async function callTool(
  engine: Engine,
  name: string,
  parameters: unknown,
  ctx: Pick<ExtensionContext, 'cwd' | 'sessionManager'>,
  signal?: AbortSignal,
  onUpdate?: (partial: Answer) => void,
): Promise<Answer> {
  const place = placeOf(ctx);
  const lookback = await engine.open(place);
  try {
    const question = asked(name, parameters);
    const reply = await lookback.tool(question.name, question.parameters, {
      session: place.session,
      liveEntries: liveEntries(ctx),
      cwd: place.cwd,
      policy: engine.config.ranking,
      engine: engine.config.engine,
      redact: engine.config.redact,
      ...(signal ? { signal } : {}),
      ...(onUpdate ? { onProgress: (progress) => onUpdate(progressing(progress)) } : {}),
    });
    return answered({ ...reply, text: renamed(name, reply.text, engine.config.tools) });
  } catch (error) {
    if (isAbort(error)) throw new Error(`${name} was cancelled`, { cause: error });
    throw error;
  }
}

function progressing(progress: Progress): Answer {
  const text = `Reading session files: ${progress.filesDone} of ${progress.filesTotal}`;
  return { content: [{ type: 'text', text }], details: { progress } };
}

/** Empty lists and absent values are not worth their place in the session file. */
function answered({ text, details }: ToolReply): Answer {
  const worth = Object.entries(details).filter(([, value]) => value !== undefined && value !== null && !isEmpty(value));
  return { content: [{ type: 'text', text }], details: Object.fromEntries(worth) };
}

const isEmpty = (value: unknown): boolean => value === false || (Array.isArray(value) && value.length === 0);

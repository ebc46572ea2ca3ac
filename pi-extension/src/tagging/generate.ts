// Asks a model for the tags of one session.

import type { ExtensionContext } from '@earendil-works/pi-coding-agent';
import type { Lookback, SessionTags } from 'lookback-node';
import type { Config } from '../config/settings.ts';
import type { Addon } from '../engine/addon.ts';
import { plain } from '../text/terminal-text.ts';

type Registry = ExtensionContext['modelRegistry'];
type Model = NonNullable<ExtensionContext['model']>;

/** A model, ready to be asked. */
export interface Asked {
  model: Model;
  registry: Pick<Registry, 'complete'>;
  /** `provider/model-id`, harmless. */
  name: string;
  minimum: number;
  maximum: number;
}

/** Enough for the tags, and for a model that thinks before it answers. */
const TOKENS = 4_000;

/** The model of the settings, or else that of the session. @throws Error as a sentence for the user */
export function modelFor(
  { model: current, modelRegistry }: Pick<ExtensionContext, 'model' | 'modelRegistry'>,
  { model: wanted, minimum, maximum }: Config['autoTags'],
): Asked {
  if (typeof modelRegistry.complete !== 'function') {
    throw new Error('this Pi is too old for autotag, which needs Pi 1.0 or newer; everything else works.');
  }
  const slash = wanted?.indexOf('/') ?? -1;
  const model = wanted ? modelRegistry.find(wanted.slice(0, slash), wanted.slice(slash + 1)) : current;
  if (!model) {
    throw new Error(
      wanted
        ? `there is no model ${plain(wanted)}; autoTags.model in the settings names it. /model shows those there are.`
        : 'no model is selected, so none can be asked for tags. /model selects one.',
    );
  }
  return { model, registry: modelRegistry, name: plain(`${model.provider}/${model.id}`), minimum, maximum };
}

/**
 * Finds tags for a session and saves them. A useless answer is asked for once more.
 *
 * @returns null when nobody said anything in the session
 * @throws Error as a sentence for the user
 */
export async function generateTags(
  addon: Pick<Addon, 'parseGeneratedTags'>,
  lookback: Pick<Lookback, 'taggingPrompt' | 'setGeneratedTags'>,
  session: string,
  asked: Asked,
  signal: AbortSignal,
): Promise<SessionTags | null> {
  const { minimum, maximum } = asked;
  const prompt = await lookback.taggingPrompt(session, { minimum, maximum, signal });
  if (!prompt) return null;
  let useless: unknown;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const answer = await complete(asked, prompt.system, prompt.user, signal);
    try {
      return await lookback.setGeneratedTags(session, addon.parseGeneratedTags(answer, { minimum, maximum }));
    } catch (error) {
      if ((error as { code?: string }).code !== 'too-few-tags') throw error;
      useless = error;
    }
  }
  throw useless;
}

async function complete({ model, registry }: Asked, system: string, user: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const response = await registry.complete(
    model,
    { systemPrompt: system, messages: [{ role: 'user', content: user, timestamp: Date.now() }] },
    { signal, maxTokens: TOKENS },
  );
  signal.throwIfAborted();
  if (response.stopReason === 'error' || response.stopReason === 'aborted') {
    throw new Error(`the model gave no answer: ${response.errorMessage ?? response.stopReason}`);
  }
  return response.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

// Telling the user something, in every mode of Pi.

import type { ExtensionContext } from '@earendil-works/pi-coding-agent';

type Level = 'info' | 'warning' | 'error';

/**
 * Shows a text: in the transcript where Pi has a user interface, else on the standard error, where it disturbs neither the
 * answer of print mode nor the records of JSON mode. The text must be harmless already.
 */
export function speak(ctx: Pick<ExtensionContext, 'hasUI' | 'ui'>, text: string, level: Level = 'info'): void {
  if (ctx.hasUI) ctx.ui.notify(text, level);
  else console.error(text);
}

/** An error as a sentence. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text || 'something went wrong, and nothing says what';
}

/** Whether an error only says that somebody did not want to wait any longer. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

// The tools that models get.

import type { ExtensionAPI, ToolDefinition } from '@earendil-works/pi-coding-agent';
import type { Engine } from '../engine/engine.ts';
import { callTool, type Details } from './call.ts';
import { DEFINITIONS } from './definitions.ts';
import { drawCall, drawResult } from './rendering.ts';
import { WAITING } from './waiting.ts';

const TOOLS = [...DEFINITIONS, WAITING];

/** All tools there are. */
export const TOOL_NAMES: readonly string[] = TOOLS.map(({ name }) => name);

type Parameters = Record<string, unknown>;
type Schema = ToolDefinition['parameters'];

/** Registers the tools that the settings name. */
export function registerTools(pi: ExtensionAPI, engine: Engine): void {
  for (const definition of TOOLS) {
    if (!engine.config.tools.includes(definition.name)) continue;
    pi.registerTool<Schema, Details>({
      name: definition.name,
      label: definition.label,
      description: definition.description,
      promptSnippet: definition.promptSnippet,
      promptGuidelines: definition.promptGuidelines,
      parameters: definition.parameters as Schema,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      execute: (_id, parameters, signal, onUpdate, ctx) =>
        callTool(engine, definition.name, parameters, ctx, signal, onUpdate),
      renderCall: (args, theme) => drawCall(definition.label, args as Parameters, theme),
      renderResult: (result, options, theme, context) => drawResult(result, options, theme, context),
    });
  }
}

import type { ToolDefinition } from 'lookback-node';

/** The module src/tools/definitions.ts as text. */
export function source(definitions: ToolDefinition[]): string {
  return `// Written by \`npm run definitions\` from what the engine says of its tools; change it there.

import type { ToolDefinition } from 'lookback-node';

export const DEFINITIONS: readonly ToolDefinition[] = ${JSON.stringify(definitions, null, 2)};
`;
}

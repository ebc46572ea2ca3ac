// Writes src/tools/definitions.ts from what the add-on says: Pi needs it at start, when no native code is loaded.
//
//   npm run definitions

import { writeFileSync } from 'node:fs';
import { toolDefinitions } from 'lookback-node';
import { source } from './definitions-source.ts';

writeFileSync(new URL('../src/tools/definitions.ts', import.meta.url), source(toolDefinitions()));

// What every command gets.

import type { ExtensionCommandContext } from '@earendil-works/pi-coding-agent';
import type { Engine } from '../engine/engine.ts';

export interface Command {
  engine: Engine;
  ctx: ExtensionCommandContext;
}

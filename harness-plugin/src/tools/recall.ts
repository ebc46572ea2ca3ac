// The tool `recall`, for those who switch it on: everything else that Lookback can answer, from the same add-on.

import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Lookback, ToolDefinition, ToolDetails } from 'lookback-node';
import { Cancelled } from '../cancelled.ts';
import type { Tool } from '../host/services.ts';
import { type Host, isSame, type NativeSession, SessionChanged } from '../host/session.ts';
import { type Addon, loadAddon } from '../scan/addon.ts';

/** Registers the tool and gives back what takes it away. Without the add-on there is none, and the operator hears why. */
export function registerRecall(host: Host, ending: AbortSignal, load: () => Addon = loadAddon): () => Promise<void> {
  let addon: Addon;
  try {
    addon = load();
  } catch (error) {
    host.warn(`recall is not registered. ${(error as Error).message}`);
    return async () => {};
  }
  const definition = addon.toolDefinitions().find(({ name }) => name === 'recall');
  if (!definition) throw new Error('lookback-node has no tool `recall`');
  const engine = new Engine(host, addon);
  const unregister = host.tools.register(recallTool(definition, host, engine, ending));
  return async () => {
    await unregister();
    await engine.close();
  };
}

function recallTool(definition: ToolDefinition, host: Host, engine: Engine, ending: AbortSignal): Tool<Partial<ToolDetails>> {
  const { name, label, description, promptSnippet, promptGuidelines, parameters } = definition;
  return {
    name,
    label,
    description,
    promptSnippet,
    promptGuidelines,
    parameters,
    async execute(_toolCallId, given, signal) {
      const asked = host.capture();
      const either = signal ? AbortSignal.any([signal, ending]) : ending;
      try {
        either.throwIfAborted();
        const lookback = await engine.open(asked);
        const { text, details } = await lookback.tool(name, given, {
          session: asked.id,
          liveEntries: liveEntries(asked),
          cwd: resolve(asked.cwd),
          signal: either,
        });
        const now = host.current();
        if (!now || !isSame(asked, now)) throw new SessionChanged();
        return { content: [{ type: 'text', text }], details };
      } catch (error) {
        if (either.aborted) throw new Cancelled('call', ending.aborted, either.reason);
        throw error;
      }
    },
  };
}

/** The engine for the session folders of whichever session asks. */
class Engine {
  readonly #host: Host;
  readonly #addon: Addon;
  #open: { directory: string; lookback: Promise<Lookback> } | undefined;

  constructor(host: Host, addon: Addon) {
    this.#host = host;
    this.#addon = addon;
  }

  async open({ directory, cwd }: NativeSession): Promise<Lookback> {
    if (this.#open?.directory !== directory) {
      await this.close();
      const lookback = this.#start(directory && resolve(directory), resolve(cwd));
      this.#open = { directory, lookback };
      // A failure is not kept: the next call tries again.
      lookback.catch(() => {
        if (this.#open?.lookback === lookback) this.#open = undefined;
      });
      return lookback;
    }
    return this.#open.lookback;
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    // What never opened need not be closed.
    await open?.lookback.then((lookback) => lookback.close(), () => {});
  }

  async #start(directory: string, cwd: string): Promise<Lookback> {
    const agentDir = this.#host.launch?.agentDir;
    const options = { cwd, home: homedir(), ...(agentDir ? { agentDir } : {}) };
    const { roots } = await this.#addon.locate(options);
    // In Pi's own layout each workspace has a folder under the root; any other folder is searched by itself.
    const isKnown = !directory || roots.some((root) => directory === root || dirname(directory) === root);
    return this.#addon.Lookback.open({ ...options, sessions: isKnown ? roots : [directory, ...roots] });
  }
}

/** The entries that the model has before its eyes: what is found in them is no news to it. */
function liveEntries({ manager }: NativeSession): string[] {
  try {
    const entries = manager.buildContextEntries?.() ?? [];
    return entries.map(({ id }) => id).filter((id) => typeof id === 'string');
  } catch {
    // Pi cannot make a context of a damaged session; then nothing is left out.
    return [];
  }
}

// A harness as small as can be, around the real Cordis.

import { Context } from '@deepseek-ai/cordis';
import plugin, { type Page, type PanelData, type Settings } from '../../src/index.ts';
import type { Panel, Tool, ToolAnswer } from '../../src/host/services.ts';
import { folder, WORKSPACE } from './sessions.ts';

/** A session manager whose answers a test can change. */
export class Manager {
  directory: string;
  id = 'active';
  path: string | undefined;
  cwd = WORKSPACE;

  constructor(directory: string) {
    this.directory = directory;
    this.path = `${directory}/active.jsonl`;
  }

  getSessionDir = (): string => this.directory;
  getSessionId = (): string => this.id;
  getSessionFile = (): string | undefined => this.path;
  getCwd = (): string => this.cwd;
}

/** Tools or panels by name, registered as the host of the real ones does it. */
export class Registry<T> {
  readonly items = new Map<string, T>();
  readonly #key: (item: T) => string;
  /** Thrown by the next registration. */
  refusing: Error | undefined;

  constructor(key: (item: T) => string) {
    this.#key = key;
  }

  register(item: T): () => void {
    if (this.refusing) throw this.refusing;
    const key = this.#key(item);
    if (this.items.has(key)) throw new Error(`${key} is registered already`);
    this.items.set(key, item);
    return () => {
      if (this.items.get(key) === item) this.items.delete(key);
    };
  }
}

/** Makes `piRuntime`. */
export const runtimeOf = (manager: Manager): { session: { sessionManager: Manager } } => ({ session: { sessionManager: manager } });

export class Harness {
  readonly context = new Context();
  readonly directory = folder();
  readonly tools = new Registry<Tool>(({ name }) => name);
  readonly panels = new Registry<Panel>(({ id }) => id);
  readonly piSession: { manager: Manager };
  readonly agentDir = folder();

  constructor() {
    this.piSession = { manager: new Manager(this.directory) };
    this.context.provide('piHarnessLaunch', { cwd: WORKSPACE, agentDir: this.agentDir, args: [] });
    this.context.provide('piSession', this.piSession);
    this.context.provide('piTools', this.tools);
    this.context.provide('piPluginUi', this.panels);
  }

  get manager(): Manager {
    return this.piSession.manager;
  }

  /** Loads the plugin; fulfilled once it is active. */
  load(settings?: Partial<Settings> | Record<string, unknown>) {
    return this.context.plugin(plugin, settings as Partial<Settings>);
  }

  /** Loads the plugin and waits for the scan at startup. */
  async settled(settings?: Partial<Settings>): Promise<Harness> {
    await this.load(settings);
    await this.until(({ status }) => status.state !== 'running');
    return this;
  }

  get tool(): Tool<Page> {
    const tool = this.tools.items.get('session_recall_unread');
    if (!tool) throw new Error('the tool is not registered');
    return tool as Tool<Page>;
  }

  get panel(): Panel<PanelData> {
    const panel = this.panels.items.get('recall-unread-panel');
    if (!panel) throw new Error('the panel is not registered');
    return panel as Panel<PanelData>;
  }

  read(): PanelData {
    return this.panel.read();
  }

  call(parameters: unknown = {}, signal?: AbortSignal): Promise<ToolAnswer<Page>> {
    return this.tool.execute('call', parameters, signal);
  }

  /** What a call finds, by id. */
  async ids(parameters: unknown = {}): Promise<string[]> {
    return (await this.call(parameters)).details.items.map(({ id }) => id);
  }

  /** The panel once it is as wanted. */
  async until(wanted: (panel: PanelData) => boolean): Promise<PanelData> {
    for (const end = Date.now() + 20_000; Date.now() < end; ) {
      const panel = this.read();
      if (wanted(panel)) return panel;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error(`the panel stays ${JSON.stringify(this.read().status)}`);
  }
}

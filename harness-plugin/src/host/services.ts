// What the plugin takes of its host. The host's own package of types is not in the registry, so the few shapes that are
// needed are written down here; anything that has them will do.

/** `piSession.manager`, and `sessionManager` of the running session: Pi's own object, or one that answers alike. */
export interface SessionManager {
  getSessionDir(): string;
  getSessionId(): string;
  /** Missing for a session that is not kept on disk. */
  getSessionFile(): string | undefined;
  getCwd(): string;
  /** The entries that the model has before its eyes. Only `recall` asks, and goes without where it is missing. */
  buildContextEntries?(): { id?: unknown }[];
}

/** `piSession`. */
export interface SessionService {
  readonly manager: SessionManager;
}

/** `piRuntime`, which comes later than the plugin or not at all. */
export interface RuntimeService {
  readonly session: { readonly sessionManager: SessionManager };
}

/** `piHarnessLaunch`. */
export interface Launch {
  /** The folder of Pi's settings and sessions. */
  readonly agentDir?: string;
}

/** What a tool answers. */
export interface ToolAnswer<Details> {
  content: { type: 'text'; text: string }[];
  details: Details;
}

/** A tool, as Pi describes them. */
export interface Tool<Details = unknown> {
  name: string;
  label: string;
  description: string;
  promptSnippet: string;
  promptGuidelines: string[];
  /** JSON Schema. */
  parameters: Record<string, unknown>;
  executionMode?: 'sequential' | 'parallel';
  execute(toolCallId: string, parameters: unknown, signal?: AbortSignal): Promise<ToolAnswer<Details>>;
}

/** `piTools`. */
export interface ToolRegistry {
  register(tool: Tool): () => unknown;
}

/** A panel of the host. */
export interface Panel<Data = unknown> {
  id: string;
  pluginId: string;
  title: string;
  description: string;
  icon: string;
  read(): Data;
}

/** `piPluginUi`. */
export interface PanelRegistry {
  register(panel: Panel): () => unknown;
}

// The session that the host has open, and whether it still is the same.

import type { Context } from '@deepseek-ai/cordis';
import type { Launch, PanelRegistry, RuntimeService, SessionManager, SessionService, ToolRegistry } from './services.ts';

/** A session as it was at one moment. Its objects are only compared; what they say is taken down at once. */
export interface NativeSession {
  /** The session of the runtime, where there is a runtime. */
  readonly session: object | undefined;
  readonly manager: SessionManager;
  readonly id: string;
  readonly path: string | undefined;
  readonly cwd: string;
  readonly directory: string;
}

/**
 * Whether both are the same session in the same place. The runtime starts after the plugin: that it is there now makes
 * no other session of the one that was there without it.
 */
export function isSame(one: NativeSession, other: NativeSession): boolean {
  return (
    (one.session === other.session || !one.session || !other.session) &&
    one.manager === other.manager &&
    one.id === other.id &&
    one.path === other.path &&
    one.cwd === other.cwd &&
    one.directory === other.directory
  );
}

/** The session that was asked for is not there any more. */
export class SessionChanged extends Error {
  override name = 'SessionChanged';

  constructor(options?: ErrorOptions) {
    super('session changed; call the tool again for the session that is open now', options);
  }
}

/** The services of the host. */
export class Host {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  get tools(): ToolRegistry {
    return this.#context.get('piTools') as ToolRegistry;
  }

  get panels(): PanelRegistry {
    return this.#context.get('piPluginUi') as PanelRegistry;
  }

  get launch(): Launch | undefined {
    return this.#context.get('piHarnessLaunch') as Launch | undefined;
  }

  /** Tells the operator what nobody else would hear of. */
  warn(message: string): void {
    this.#context.logger.warn(message);
  }

  /**
   * The session that is open now.
   *
   * @throws Error when the host has none, or none that says where it is
   */
  capture(): NativeSession {
    const session = (this.#context.get('piRuntime') as RuntimeService | undefined)?.session;
    const manager = session?.sessionManager ?? (this.#context.get('piSession') as SessionService | undefined)?.manager;
    if (!manager) throw new Error('the harness has no session open');
    const native = {
      session,
      manager,
      id: manager.getSessionId(),
      path: manager.getSessionFile() || undefined,
      cwd: manager.getCwd(),
      directory: manager.getSessionDir(),
    };
    for (const name of ['id', 'cwd', 'directory'] as const) {
      if (typeof native[name] !== 'string' || (name === 'cwd' && !native.cwd)) throw new Error(`the session of the harness has no ${name}`);
    }
    return native;
  }

  /** The session that is open now, or nothing where `capture` would throw. */
  current(): NativeSession | undefined {
    try {
      return this.capture();
    } catch {
      return undefined;
    }
  }
}

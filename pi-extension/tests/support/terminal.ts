// A Pi on a terminal of its own: a tmux server that nobody else uses. tmux comes with `apt-get install tmux`.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NODE, type Sandbox } from './sandbox.ts';

/** Why there is no terminal here, for tests that need one. */
export const noTerminal: string | undefined =
  spawnSync('tmux', ['-V']).status === 0 ? undefined : 'tmux is not installed: apt-get install tmux';

export class TerminalPi {
  readonly #socket: string;
  readonly #exit: string;

  constructor(sandbox: Sandbox, args: string[] = [], { width = 110, height = 34 } = {}) {
    this.#socket = join(sandbox.root, 'tmux');
    this.#exit = join(sandbox.root, 'exit');
    const variables = Object.entries(sandbox.env).map(([name, value]) => `${name}=${value}`);
    const quoted = ['env', '-i', ...variables, NODE, ...sandbox.start, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    // The shell stays, so that the last screen can be read when Pi is gone.
    const line = `${quoted.join(' ')}; echo $? > '${this.#exit}'; sleep 300`;
    const size = ['-x', String(width), '-y', String(height)];
    this.#tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'pi', ...size, '-c', sandbox.project, line);
    this.#tmux('set-option', '-g', 'escape-time', '0');
  }

  #tmux(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('tmux', ['-S', this.#socket, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  }

  /** What is on the screen; with its colours on request. */
  screen({ colours = false } = {}): string {
    return this.#tmux('capture-pane', '-p', '-t', 'pi', ...(colours ? ['-e'] : []));
  }

  /** Waits until the screen passes, and gives it back. */
  async until(test: string | RegExp | ((screen: string) => boolean), limit = 20_000): Promise<string> {
    const passes = (screen: string): boolean =>
      typeof test === 'string' ? screen.includes(test) : test instanceof RegExp ? test.test(screen) : test(screen);
    const deadline = Date.now() + limit;
    for (;;) {
      const screen = this.screen();
      if (passes(screen)) return screen;
      if (Date.now() > deadline) throw new Error(`the screen never showed ${test}:\n${screen}`);
      await pause(40);
    }
  }

  /** Types text, letter by letter as far as Pi is concerned. */
  type(text: string): void {
    this.#tmux('send-keys', '-t', 'pi', '-l', '--', text);
  }

  /** Presses keys by tmux's names: Enter, Escape, Up, Tab, PageDown, C-c, M-Enter. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.#tmux('send-keys', '-t', 'pi', key);
      // A key right behind Escape would be read as Alt and that key.
      await pause(key === 'Escape' ? 150 : 30);
    }
  }

  /** Runs a slash command as a user would: Enter twice where a completion is open, so that is closed before. */
  async command(text: string): Promise<void> {
    this.type(text);
    await this.until(text.trimEnd());
    await pause(250);
    await this.press('Escape', 'Enter');
  }

  resize(width: number, height: number): void {
    this.#tmux('resize-window', '-t', 'pi', '-x', String(width), '-y', String(height));
  }

  /** The exit code of Pi once it ended. */
  get exitCode(): number | undefined {
    return existsSync(this.#exit) ? Number(readFileSync(this.#exit, 'utf8')) : undefined;
  }

  /** Leaves Pi as a user would, and gives back its exit code. */
  async quit(): Promise<number | undefined> {
    await this.press('C-c', 'C-c');
    const deadline = Date.now() + 10_000;
    while (this.exitCode === undefined && Date.now() < deadline) await pause(50);
    return this.exitCode;
  }

  [Symbol.dispose](): void {
    spawnSync('tmux', ['-S', this.#socket, 'kill-server']);
  }
}

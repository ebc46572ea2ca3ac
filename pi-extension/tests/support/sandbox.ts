// A home, a project and an agent folder of their own for one test, and what it takes to start Pi there offline.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
/** The package under test. */
export const PACKAGE = join(here, '..', '..');
/** Node as this package wants it; Pi needs 22.19 at least. */
export const NODE = process.execPath;
const PI = join(PACKAGE, 'node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js');
const MODEL = join(here, 'scripted-model.ts');

export interface Request {
  model: string;
  system: string;
  tools: string[];
  messages: { role: string; content: unknown; toolName?: string; isError?: boolean }[];
}

export interface SandboxOptions {
  /** What the scripted model answers. */
  script?: unknown[];
  /** Pi's settings, over those of all tests. */
  settings?: object;
  /** `config.json` of the extension. */
  config?: object | string;
  env?: Record<string, string>;
  /** Without the package under test and the model. */
  bare?: boolean;
  /** Another build of Pi. */
  pi?: string;
}

/** Not /tmp: sessions that were run there are left out by a tool. */
const TEMPORARY = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();

export class Sandbox {
  readonly root = realpathSync(mkdtempSync(join(TEMPORARY, 'lookback-pi-')));
  readonly home = join(this.root, 'home');
  readonly agentDir = join(this.home, '.pi/agent');
  readonly sessions = join(this.agentDir, 'sessions');
  readonly project = join(this.root, 'project');
  readonly env: Record<string, string>;
  /** What stands before the arguments of every start. */
  readonly start: string[];

  constructor({ script = [], settings = {}, config, env = {}, bare = false, pi = PI }: SandboxOptions = {}) {
    for (const folder of [this.sessions, this.project, join(this.root, 'tmp')]) mkdirSync(folder, { recursive: true });
    this.write(join(this.agentDir, 'settings.json'), {
      defaultProvider: 'script',
      defaultModel: 'one',
      quietStartup: true,
      cacheWarming: 'off',
      enableInstallTelemetry: false,
      retry: { enabled: false },
      compaction: { enabled: false },
      ...settings,
    });
    if (config !== undefined) this.write(join(this.agentDir, 'pi-recall/config.json'), config);
    this.script(script);
    // Nothing of the caller's environment: neither keys of providers nor Pi's own variables.
    this.env = {
      PATH: `${dirname(NODE)}:${process.env.PATH ?? ''}`,
      HOME: this.home,
      TMPDIR: join(this.root, 'tmp'),
      LANG: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      TERM: 'xterm-256color',
      TZ: 'UTC',
      PI_CODING_AGENT_DIR: this.agentDir,
      PI_OFFLINE: '1',
      PI_SKIP_VERSION_CHECK: '1',
      PI_TELEMETRY: '0',
      SCRIPT_FILE: join(this.root, 'script.json'),
      SCRIPT_LOG: join(this.root, 'requests.jsonl'),
      ...env,
    };
    // The model is named: by settings alone it is sometimes chosen before its extension is there.
    this.start = [pi, ...(bare ? [] : ['--model', 'script/one', '-e', MODEL, '-e', PACKAGE])];
  }

  write(path: string, content: object | string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }

  script(steps: unknown[]): void {
    this.write(join(this.root, 'script.json'), steps);
  }

  /** What the model was asked until now. */
  requests(): Request[] {
    try {
      const log = readFileSync(join(this.root, 'requests.jsonl'), 'utf8');
      return log.trimEnd().split('\n').map((line) => JSON.parse(line) as Request);
    } catch {
      return [];
    }
  }

  /** Runs Pi to its end; standard input is closed. */
  run(args: string[], { cwd = this.project, limit = 60_000 } = {}): Promise<{ code: number | null; stdout: string; stderr: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn(NODE, [...this.start, ...args], { cwd, env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const timer = setTimeout(() => child.kill('SIGKILL'), limit);
      child.on('error', reject);
      child.on('close', (code) => {
        clearTimeout(timer);
        resolve({ code, stdout, stderr });
      });
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The text of the last message that a request carries. */
export function lastText(request: Request | undefined): string {
  const content = request?.messages.at(-1)?.content;
  if (typeof content === 'string') return content;
  return ((content ?? []) as { text?: string }[]).map(({ text }) => text ?? '').join('\n');
}

/** Objects of a stream of JSON lines, which U+2028 does not end. */
export const jsonLines = <T = Record<string, any>>(text: string): T[] =>
  text.split('\n').filter(Boolean).map((line) => JSON.parse(line) as T);

// A Pi that is driven by records on its standard input.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { NODE, type Sandbox } from './sandbox.ts';

type Fields = Record<string, any>;
/** What a person would do with a dialog. */
export type Reaction = (dialog: Fields) => { value: string } | { confirmed: boolean } | { cancelled: true } | undefined;

const DIALOGS = ['select', 'confirm', 'input', 'editor'];

export class RpcPi {
  readonly records: Fields[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<number | null>;
  #stderr = '';
  #wake: () => void = () => {};
  #number = 0;
  /** Without one every dialog is cancelled. */
  react: Reaction = () => ({ cancelled: true });

  constructor(sandbox: Sandbox, args: string[] = [], { cwd = sandbox.project } = {}) {
    this.#child = spawn(NODE, [...sandbox.start, '--mode', 'rpc', ...args], { cwd, env: sandbox.env });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    let rest = '';
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter(Boolean)) this.#received(JSON.parse(line) as Fields);
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        this.records.push({ type: 'ended', code });
        this.#wake();
        resolve(code);
      });
    });
  }

  #received(record: Fields): void {
    this.records.push(record);
    if (record.type === 'extension_ui_request' && DIALOGS.includes(record.method)) {
      const answer = this.react(record);
      if (answer) this.#send({ type: 'extension_ui_response', id: record.id, ...answer });
    }
    this.#wake();
  }

  #send(record: Fields): void {
    this.#child.stdin.write(`${JSON.stringify(record)}\n`);
  }

  /** The first record from `from` on that passes. */
  async until(test: (record: Fields) => boolean, from = 0, limit = 30_000): Promise<Fields> {
    const deadline = Date.now() + limit;
    for (;;) {
      const found = this.records.slice(from).find(test);
      if (found) return found;
      const left = deadline - Date.now();
      if (left <= 0 || this.records.at(-1)?.type === 'ended') {
        const last = JSON.stringify(this.records.slice(-4)).slice(0, 2_000);
        throw new Error(`Pi did not say what was waited for (${test})\n${last}\n${this.#stderr}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Sends a command and gives back the data of its response. */
  async ask(command: Fields): Promise<any> {
    const id = `ask-${++this.#number}`;
    const from = this.records.length;
    this.#send({ id, ...command });
    const response = await this.until((record) => record.type === 'response' && record.id === id, from);
    if (!response.success) throw new Error(`${command.type}: ${response.error}`);
    return response.data;
  }

  /** Says something and waits for the end of what follows; gives back the records of it. */
  async say(message: string): Promise<Fields[]> {
    const from = this.records.length;
    const { disposition } = await this.ask({ type: 'prompt', message });
    if (disposition === 'started') await this.until((record) => record.type === 'agent_settled', from);
    return this.records.slice(from);
  }

  /** Says something and gives back what the extension told, and what went wrong in it. */
  async told(message: string): Promise<string> {
    const records = await this.say(message);
    return records
      .filter((record) => record.method === 'notify' || record.type === 'extension_error')
      .map((record) => String(record.message ?? record.error))
      .join('\n');
  }

  async session(): Promise<{ sessionId: string; sessionFile?: string }> {
    return this.ask({ type: 'get_state' });
  }

  close(): Promise<number | null> {
    this.#child.stdin.end();
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await this.close();
    clearTimeout(timer);
  }
}

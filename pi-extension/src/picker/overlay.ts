// The picker on the terminal: keys in, lines out. An error here would end Pi, so none gets out.

import { homedir } from 'node:os';
import type { KeybindingsManager, Theme } from '@earendil-works/pi-coding-agent';
import { type Component, type Focusable, Input, matchesKey, truncateToWidth, type TUI } from '@earendil-works/pi-tui';
import { plain } from '../text/terminal-text.ts';
import { sentence } from '../text/speak.ts';
import { Asking, type Source } from './asking.ts';
import { draw, inputWidth, rowsShown } from './drawing.ts';
import type { Row } from './row.ts';
import { type Scope, selectedRow, type State } from './state.ts';

/** What was chosen. */
export interface Choice {
  row: Row;
  /** Go on from the message that matched. */
  atMessage: boolean;
}

/** What kind of picker it is. */
export interface Kind {
  title: string;
  source: Source;
  query: string;
  scope: Scope;
  current: string;
  nothing: (state: State) => string;
  /** Says why a choice cannot be had; nothing where it can. */
  refuse: (choice: Choice, insisted: boolean) => Promise<{ reason: string; mayInsist: boolean } | undefined>;
  /** A further key. */
  action?: { key: 'ctrl+x'; hint: string; run: (row: Row) => Promise<string> };
}

/** The share of the terminal that the picker takes. */
export const SHARE = { width: 0.94, height: 0.9 };

export class Picker implements Component, Focusable {
  readonly #tui: TUI;
  readonly #theme: Theme;
  readonly #keys: KeybindingsManager;
  readonly #kind: Kind;
  readonly #done: (choice: Choice | undefined) => void;
  readonly #input = new Input();
  readonly #asking: Asking;
  #isChecking = false;
  /** What to do as soon as the rows are those of the query. */
  #wish: { atMessage: boolean } | undefined;

  constructor(
    tui: TUI,
    theme: Theme,
    keys: KeybindingsManager,
    kind: Kind,
    done: (choice: Choice | undefined) => void,
  ) {
    this.#tui = tui;
    this.#theme = theme;
    this.#keys = keys;
    this.#kind = kind;
    this.#done = done;
    // As if it were typed: the cursor stands behind it.
    if (kind.query) this.#input.handleInput(kind.query);
    this.#asking = new Asking(kind.source, kind.query, kind.scope, (state) => this.#changed(state));
    this.#asking.start();
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  render(width: number): string[] {
    try {
      return draw(this.#asking.state, {
        width,
        height: this.#height(),
        colors: this.#theme,
        now: new Date(),
        home: homedir(),
        current: this.#kind.current,
        title: this.#kind.title,
        input: this.#input.render(inputWidth(width))[0] ?? '',
        hints: this.#hints(),
        nothing: this.#kind.nothing,
      });
    } catch (error) {
      return [truncateToWidth(`Recall cannot be drawn: ${plain(sentence(error))}`, Math.max(0, width))];
    }
  }

  handleInput(data: string): void {
    try {
      this.#pressed(data);
    } catch (error) {
      this.#asking.say(plain(sentence(error)), 'error');
    }
  }

  invalidate(): void {
    this.#input.invalidate();
  }

  dispose(): void {
    this.#asking.dispose();
  }

  #pressed(data: string): void {
    const keys = this.#keys;
    this.#wish = undefined;
    if (keys.matches(data, 'tui.select.cancel')) return this.#close(undefined);
    if (matchesKey(data, 'ctrl+g') || matchesKey(data, 'alt+enter')) return this.#choose(true);
    if (keys.matches(data, 'tui.select.confirm')) return this.#choose(false);
    if (keys.matches(data, 'tui.select.up')) return this.#asking.move(-1);
    if (keys.matches(data, 'tui.select.down')) return this.#asking.move(1);
    const page = rowsShown(this.#asking.state, this.#height());
    if (keys.matches(data, 'tui.select.pageUp')) return this.#asking.move(-page);
    if (keys.matches(data, 'tui.select.pageDown')) return this.#asking.move(page);
    if (keys.matches(data, 'tui.input.tab')) return this.#asking.switchScope();
    const { action } = this.#kind;
    if (action && matchesKey(data, action.key)) return this.#act(action.run);
    this.#input.handleInput(data);
    this.#asking.typed(this.#input.getValue());
    this.#tui.requestRender();
  }

  #changed({ waiting }: State): void {
    this.#tui.requestRender();
    if (waiting || !this.#wish) return;
    const { atMessage } = this.#wish;
    this.#wish = undefined;
    this.#choose(atMessage);
  }

  #choose(atMessage: boolean): void {
    const { state } = this.#asking;
    if (state.waiting) {
      // Who types fast and presses Enter means what was typed, not the row that is still there.
      this.#wish = { atMessage };
      return;
    }
    const row = selectedRow(state);
    if (!row || this.#isChecking) return;
    const choice = { row, atMessage: atMessage && row.hit !== undefined };
    const insisted = state.insist === row.session;
    this.#isChecking = true;
    this.#kind
      .refuse(choice, insisted)
      .then((refusal) => {
        if (!refusal) return this.#close(choice);
        const { reason, mayInsist } = refusal;
        const more = mayInsist ? ' Enter again: Pi asks what to do.' : '';
        this.#asking.say(`${reason}${more}`, 'warning', mayInsist ? row.session : undefined);
      })
      .catch((error: unknown) => this.#asking.say(plain(sentence(error)), 'error'))
      .finally(() => {
        this.#isChecking = false;
      });
  }

  #act(run: (row: Row) => Promise<string>): void {
    const row = selectedRow(this.#asking.state);
    if (!row) return;
    run(row)
      .then((said) => {
        this.#asking.say(said, 'info');
        this.#asking.again();
      })
      .catch((error: unknown) => this.#asking.say(plain(sentence(error)), 'error'));
  }

  #close(choice: Choice | undefined): void {
    this.#asking.dispose();
    this.#done(choice);
  }

  #height(): number {
    return Math.max(8, Math.floor(this.#tui.terminal.rows * SHARE.height));
  }

  #hints(): string[] {
    const key = (id: Parameters<KeybindingsManager['getKeys']>[0]): string => this.#keys.getKeys(id)[0] ?? '';
    const hasHit = selectedRow(this.#asking.state)?.hit !== undefined;
    return [
      `${key('tui.select.confirm')} resume`,
      ...(hasHit ? ['ctrl+g resume at this message'] : []),
      ...(this.#kind.action ? [this.#kind.action.hint] : []),
      `${key('tui.input.tab')} ${this.#asking.state.scope === 'all' ? 'this folder' : 'all projects'}`,
      `${key('tui.select.cancel')} close`,
      '↑↓ move',
    ];
  }
}

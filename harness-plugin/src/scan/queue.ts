// One after another.

/** Lets one piece of work run at a time, in the order in which they came. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs the work when all before it is over. A signal that is aborted while it waits ends the wait at once, and what
   * comes behind it still waits for what was before it.
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    let done = (): void => {};
    this.#last = Promise.all([before, new Promise<void>((resolve) => (done = resolve))]);
    try {
      await until(before, signal);
      return await work();
    } finally {
      done();
    }
  }

  /** Fulfilled when nothing runs or waits. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

function until(done: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    void done.then(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
  });
}

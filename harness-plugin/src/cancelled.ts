/** What a call ends with that nobody waits for any more. */
export class Cancelled extends Error {
  override name = 'AbortError';

  /**
   * @param what `scan` or `call`
   * @param isDisposed the plugin is, so that no other call will do better
   * @param cause the reason of the signal
   */
  constructor(what: 'scan' | 'call', isDisposed: boolean, cause: unknown) {
    super(`the ${what} was cancelled${isDisposed ? ': the plugin was disposed' : ''}`, { cause });
  }
}

export type Clock = { now(): number }

/** Fresh identifiers: 128 random bits behind a prefix, so that knowing one is a permission. */
export type Ids = { fresh(prefix: string): string }

/** Wake-ups inside this process. Hints only: they may be lost, whoever waits reads again after the time. */
export type Hints = {
  notify(channel: string): void
  /** Resolves at the next notify after this call, at the timeout or on abort; never rejects. */
  wait(channel: string, timeoutMs: number, signal?: AbortSignal): Promise<void>
  /** Calls back on every notify; the returned function ends it. */
  on(listener: (channel: string) => void): () => void
}

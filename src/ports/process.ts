export type Clock = { now(): number }

/** Generates ids: a prefix and 128 random bits, so that knowing an id can be a permission. */
export type Ids = { fresh(prefix: string): string }

/**
 * Wake-ups of this process, and of others on the same PostgreSQL server.
 * They may be lost, so a waiter must also check after its timeout.
 */
export type Wakeups = {
  notify(channel: string): void
  /** Resolves at the next notify after this call, at the timeout or on abort; never rejects. */
  wait(channel: string, timeoutMs: number, signal?: AbortSignal): Promise<void>
  /** Calls the listener on every notify. The returned function removes it. */
  on(listener: (channel: string) => void): () => void
}

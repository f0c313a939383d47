import type { News } from '../domain/operator/alerts.ts'
import type { Span } from '../domain/runs/hireTrace.ts'
import type { RunEvent } from '../domain/runs/runEvent.ts'
import type { Usage } from './model.ts'

export type Clock = { now(): number }

/** Generates ids: a prefix and 128 random bits, so that knowing an id can be a permission. */
export type Ids = { fresh(prefix: string): string }

/**
 * Wake-ups of this process, and of others on the same PostgreSQL server.
 * They may be lost, so a waiter must also check after its timeout.
 */
export type Wakeups = {
  /**
   * Wakes the waiters of a channel. `events` are those that a commit of this process added to the log of a run, when it changed
   * nothing else of the run.
   */
  notify(channel: string, events?: RunEvent[]): void
  /** Resolves at the next notify after this call, at the timeout or on abort; never rejects. */
  wait(channel: string, timeoutMs: number, signal?: AbortSignal): Promise<void>
  /** Calls the listener on every notify. The returned function removes it. */
  on(listener: (channel: string, events?: RunEvent[]) => void): () => void
}

/** Elects one process among those on one database. */
export type Elections = {
  /**
   * Runs the term whenever this process is elected to lead `key`, such as a chain id. The signal aborts when another process may
   * be elected; the term then ends its last step and resolves.
   */
  lead(key: number, term: (signal: AbortSignal) => Promise<void>): void
  leads(key: number): boolean
  leaders(): Promise<{ key: number; process: string }[]>
  /** Ends the terms, and lets another process lead. */
  close(): Promise<void>
}

/** The log of the process. Secrets are removed from it. */
export type Log = {
  info(about: Record<string, unknown>, words: string): void
  warn(about: Record<string, unknown>, words: string): void
}

/** A question to the language model that was answered or failed, with the tokens of each answer of its provider. */
export type ModelCall = { question: 'turn' | 'phrase' | 'judge'; isAnswered: boolean; ms: number; usage: readonly Usage[] }

/** Posts an alert to the operator; false when it was not taken. */
export type PostAlert = (news: News & { at: number }) => Promise<boolean>

/** Records a span of a hire's trace. It never throws and does not wait. */
export type RecordSpan = (span: Span) => void

import type { Feature } from './assemble.ts'
import type { Config } from './config.ts'
import type { Address } from './domain/hex.ts'
import type { Chain, Clock, Log, ModelCall, RecordSpan, Store } from './ports.ts'
import { logEffects } from './process/loggedParts.ts'
import { systemClock } from './process/system.ts'
import type { MigrationStep } from './store/engine/migrations.ts'

/** The two ports that move money, which fault tests can wrap. */
export type Outside = { store: Store; chain: Chain }

export type WorldOptions = {
  config: Config
  publicUrl: string
  onError(worker: string, error: unknown): void
  /** Called after each step of a worker, with its duration in ms. */
  onStep?(worker: string, ms: number): void
  /** Called during and after each migration of the schema. */
  onMigration?: (step: MigrationStep) => void
  onModelCall?: (call: ModelCall) => void
  /** Called when a newer release has changed the schema of the shared database: the process must end. */
  onMoved?: (reason: Error) => void
  clock?: Clock
  log?: Log
  /** Records the traces of hires; absent without an address for them. */
  record?: RecordSpan | undefined
  /** The wallet of the local world's demo user, once it is known. */
  demoUser?: (() => Address | undefined) | undefined
  /** Features besides the core; absent for all. */
  features?: readonly Feature[]
  wrap?: (outside: Outside) => Outside
}

const silent: Log = { info: () => undefined, warn: () => undefined }

export type Closer = () => Promise<unknown>

export type Stopping = (close: Closer) => void

export type Options = WorldOptions & Required<Pick<WorldOptions, 'clock' | 'log' | 'wrap'>>

/** Fills in the defaults. The chain's effects are logged whatever wraps it. */
export const withDefaults = (given: WorldOptions): Options => {
  const { clock = systemClock, log = silent, wrap = (it: Outside) => it } = given
  const logged = (outside: Outside): Outside => {
    const { store, chain } = wrap(outside)
    return { store, chain: logEffects(chain, log) }
  }
  return { ...given, clock, log, wrap: logged }
}

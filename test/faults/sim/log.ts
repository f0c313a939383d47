import type { Address } from '../../../src/domain/hex.ts'
import type { Answer } from './world.ts'

/** A yes as its user gave it. Without a digest it is for what was proposed at that moment. */
export type Consent = {
  user: Address
  conversationId: string
  runId: string | undefined
  digest: string | undefined
  /** The machine's clock when it was said. */
  at: number
}

/** A mandate as its user stated it; amounts in atomic units, in text. */
export type Allowed = {
  user: Address
  maxPerJob: string
  maxPerPeriod: string
  askAbove: string
  categories: string
  expiresAt: number
}

/** A proposal as its user was shown it. */
export type Shown = { runId: string; digest: string; lapsesAt: number }

export type Handed = { jobId: string; deliverable: string; agentId: string | undefined; accepted: boolean }
type Answered = { operation: string; input: unknown; wallet: Address | undefined; answer: Answer; faults: number }

/** What users and agents did and heard: the other side's record, kept by themselves. */
export type WorldLog = {
  consents: Consent[]
  shown: Shown[]
  allowed: Allowed[]
  /** Mandates whose end their user was told, with the jobs that there were under each then. */
  revoked: Map<string, Set<string>>
  /** Runs that were told to a user under an idempotency key. */
  keyed: Map<string, Set<string>>
  /** Jobs that polls gave out, by job. */
  deliveries: Map<string, number>
  handed: Handed[]
  /** Jobs that their agent was about to complete with its owner's credential. */
  proven: Set<string>
  /** Agents with the wallet that they were registered with, by full id. */
  agentWallets: Map<string, Address>
  /** Faults of the service that nobody brought about, and words in the wrong hands. */
  scandals: string[]
  restarts: number
  reorgs: number
  noteAnswer(of: Answered): void
}

/** The secret words of a scenario: `canary-<wallet>`. */
export const canaryOf = (wallet: Address) => `canary${wallet.slice(2, 14)}`
export const canaries = /canary[0-9a-f]{12}/g

export const createLog = (): WorldLog => {
  const scandals: string[] = []
  return {
    consents: [],
    shown: [],
    allowed: [],
    revoked: new Map(),
    keyed: new Map(),
    deliveries: new Map(),
    handed: [],
    proven: new Set(),
    agentWallets: new Map(),
    scandals,
    restarts: 0,
    reorgs: 0,
    noteAnswer({ operation, input, wallet, answer, faults }) {
      if ('broken' in answer && faults === 0) scandals.push(`I11 ${operation} broke without a fault: ${answer.broken}`)
      // A job holds its user's words; who may be given it is a question of its own (I8).
      if (!wallet || operation === 'pollJob' || !('value' in answer)) return
      const own = canaryOf(wallet)
      const foreign = (JSON.stringify(answer.value).match(canaries) ?? []).filter(it => it !== own)
      const said = JSON.stringify(input)
      if (foreign.some(it => !said.includes(it)))
        scandals.push(`I12 ${operation} told ${wallet} the secret of another: ${foreign[0]}`)
    },
  }
}

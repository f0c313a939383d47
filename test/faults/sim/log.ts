import type { Address } from '../../../src/domain/hex.ts'
import type { PaidAttempt } from './actors/callers.ts'
import type { Answer } from './world.ts'

/** A user's consent. Without a digest it is for the proposal of that moment. */
export type Consent = {
  user: Address
  conversationId: string
  runId: string | undefined
  digest: string | undefined
  /** Time of the machine's clock. */
  at: number
}

/** A mandate as its user set it. Amounts in atomic units, as text. */
export type Allowed = {
  user: Address
  maxPerJob: string
  maxPerPeriod: string
  askAbove: string
  categories: string
  expiresAt: number
}

/** A proposal that was shown to its user. */
export type Shown = { runId: string; digest: string; lapsesAt: number }

export type Handed = {
  jobId: string
  deliverable: string
  agentId: string | undefined
  accepted: boolean
  /** The units that were stated; absent without any. */
  units?: number
}
type Answered = { operation: string; input: unknown; wallet: Address | undefined; answer: Answer; faults: number }

/** What users and agents did and received, recorded independently of the service. */
export type WorldLog = {
  consents: Consent[]
  shown: Shown[]
  allowed: Allowed[]
  /** Mandates with a confirmed revocation, and the jobs under each at that time. */
  revoked: Map<string, Set<string>>
  /** Steps of plans that a user was told are left out. */
  leftOut: { planId: string; number: number }[]
  /** Plans that a user was told are stopped, and the jobs under each at that time. */
  stopped: Map<string, Set<string>>
  /** Runs that a user received for each idempotency key. */
  keyed: Map<string, Set<string>>
  /** Number of deliveries by poll, per job. */
  deliveries: Map<string, number>
  handed: Handed[]
  /** Jobs that their agent completed with its owner's credential. */
  proven: Set<string>
  /** Paid calls of strangers, with the answers they got. */
  calls: PaidAttempt[]
  /** Trades of tokens that users got quotes for, by digest, and whether they said yes. */
  trades: Map<string, { user: Address; isAgreed: boolean }>
  /** Wallets of agents at their registration, by full id. */
  agentWallets: Map<string, Address>
  /** Internal errors without an injected fault, and leaked texts. */
  scandals: string[]
  restarts: number
  reorgs: number
  noteAnswer(of: Answered): void
}

/** The secret marker of a wallet in a scenario: `canary-<wallet>`. */
export const canaryOf = (wallet: Address) => `canary${wallet.slice(2, 14)}`
export const canaries = /canary[0-9a-f]{12}/g

export const createLog = (): WorldLog => {
  const scandals: string[] = []
  return {
    consents: [],
    shown: [],
    allowed: [],
    revoked: new Map(),
    leftOut: [],
    stopped: new Map(),
    keyed: new Map(),
    deliveries: new Map(),
    handed: [],
    proven: new Set(),
    calls: [],
    trades: new Map(),
    agentWallets: new Map(),
    scandals,
    restarts: 0,
    reorgs: 0,
    noteAnswer({ operation, input, wallet, answer, faults }) {
      if ('broken' in answer && faults === 0) scandals.push(`I11 ${operation} broke without a fault: ${answer.broken}`)
      // A job contains its user's text. Another check (I8) decides who may receive it.
      if (!wallet || operation === 'pollJob' || !('value' in answer)) return
      const own = canaryOf(wallet)
      const foreign = (JSON.stringify(answer.value).match(canaries) ?? []).filter(it => it !== own)
      const said = JSON.stringify(input)
      if (foreign.some(it => !said.includes(it)))
        scandals.push(`I12 ${operation} told ${wallet} the secret of another: ${foreign[0]}`)
    },
  }
}

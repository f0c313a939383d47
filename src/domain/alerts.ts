import { dayMs, minuteMs } from './durations.ts'

export type ChainState = { chainId: number; up: boolean; block: number | undefined; behind: number | undefined; refused?: string }
export type Purse = {
  chainId: number
  role: 'treasury' | 'evaluator' | 'deployer'
  address: string
  coinWei: bigint
  usdc: string
  /** The most that its transactions of the last days cost, per day; undefined without transactions. */
  spentWeiADay: bigint | undefined
  daysLeft: number | undefined
  /** Whether the treasury can fill another wallet, or another wallet can act. */
  isFilled: boolean
}
export type Pile = { kind: string; state: string; count: number; oldestMs: number }
/** A worker of this process whose steps have failed without a success since a time. */
export type Failing = { worker: string; sinceMs: number }
export type Leader = { leads: string; process: string }

/** What an operator wants to know of the service. */
export type OperatorState = { chains: ChainState[]; purses: Purse[]; backlog: Pile[]; failing: Failing[]; leaders: Leader[] }

/** Something that an operator must act on. `afterMs`: how long it must last before it is an alert. */
export type Condition = { alert: string; subject: string; words: string; remedy: string; afterMs: number }

/** Unread blocks, ages and days that are too many or too few. docs/operations.md has the same figures. */
const mostBehind = 50
const mostEffectMs = 5 * minuteMs
const mostDueMs = minuteMs
const failingMs = 5 * minuteMs
const leastDays = 1

/** The conditions of a state that are worth an alert. */
export const conditionsOf = ({ chains, purses, backlog, failing }: OperatorState): Condition[] => [
  ...chains.flatMap(ofChain),
  ...purses.flatMap(ofPurse),
  ...backlog.flatMap(ofPile),
  ...failing.flatMap(({ worker, sinceMs }) => (sinceMs >= failingMs ? [workerFails(worker)] : [])),
]

const ofChain = ({ chainId, up, behind = 0, refused }: ChainState): Condition[] => {
  const of = { subject: `chain ${chainId}`, remedy: `Check the node behind RPC_URL_${chainId}, and market operator doctor.` }
  if (refused) return [{ ...of, alert: 'chain-refused', words: refused, afterMs: minuteMs }]
  if (!up) return [{ ...of, alert: 'chain-down', words: `The node of chain ${chainId} does not answer.`, afterMs: minuteMs }]
  if (behind <= mostBehind) return []
  const words = `The events of ${behind} blocks of chain ${chainId} were not read yet.`
  return [{ ...of, alert: 'chain-behind', words, afterMs: 5 * minuteMs }]
}

const ofPurse = ({ chainId, role, address, isFilled, daysLeft }: Purse): Condition[] => {
  if (role !== 'treasury' || (isFilled && (daysLeft === undefined || daysLeft >= leastDays))) return []
  const words = isFilled
    ? `The treasury ${address} has native coin of chain ${chainId} for less than a day.`
    : `The treasury ${address} cannot fill other wallets on chain ${chainId}.`
  const remedy = `Send it native coin of chain ${chainId}.`
  return [{ alert: 'treasury-low', subject: `chain ${chainId}`, words, remedy, afterMs: 0 }]
}

const ofPile = ({ kind, state, oldestMs }: Pile): Condition[] => {
  const minutes = Math.round(oldestMs / minuteMs)
  const of = { subject: state, afterMs: 0 }
  if (kind === 'effect' && oldestMs > mostEffectMs) {
    const words = `A ${state} transaction has not been mined for ${minutes} minutes.`
    return [{ ...of, alert: 'effects-late', words, remedy: 'Check the chain, its fees and the treasury.' }]
  }
  if (kind !== 'run' || oldestMs <= mostDueMs) return []
  return [{ ...of, alert: 'runs-late', words: `A run has been due for ${minutes} minutes.`, remedy: 'Start more workers.' }]
}

const workerFails = (worker: string): Condition => ({
  ...{ alert: 'worker-failing', subject: worker, words: `Every step of the worker ${worker} has failed for five minutes.` },
  ...{ remedy: 'Read the log of the leading process.', afterMs: 0 },
})

/** What to tell the operator: an alert began, or it is over. */
export type News = Condition & { status: 'firing' | 'resolved'; since: number }
type Watched = Map<string, { condition: Condition; since: number; isTold: boolean }>

/** Compares the conditions of now with those of the last look. An alert is told once when it begins and once when it is over. */
export const followAlerts = (before: Watched, conditions: Condition[], now: number): { watched: Watched; news: News[] } => {
  const watched: Watched = new Map()
  const news: News[] = []
  for (const condition of conditions) {
    const key = `${condition.alert} ${condition.subject}`
    const { since, isTold } = before.get(key) ?? { since: now, isTold: false }
    const tells = !isTold && now - since >= condition.afterMs
    if (tells) news.push({ ...condition, status: 'firing', since })
    watched.set(key, { condition, since, isTold: isTold || tells })
  }
  for (const [key, { condition, since, isTold }] of before)
    if (isTold && !watched.has(key)) news.push({ ...condition, status: 'resolved', since })
  return { watched, news }
}

/** Days for which a wallet's coin lasts at its present rate. */
export const toDaysLeft = (coinWei: bigint, spentWeiADay: bigint | undefined): number | undefined =>
  spentWeiADay === undefined || spentWeiADay === 0n ? undefined : Number((coinWei * 10n) / spentWeiADay) / 10

/** The cost of a day, from transactions that were mined within `sinceMs`. Less than a day counts as a day. */
export const toADay = (costWei: bigint, sinceMs: number): bigint =>
  sinceMs <= dayMs ? costWei : (costWei * BigInt(dayMs)) / BigInt(Math.round(sinceMs))

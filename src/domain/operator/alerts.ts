import { dayMs, minuteMs } from '../durations.ts'

export type ChainState = { chainId: number; up: boolean; block: number | undefined; behind: number | undefined; refused?: string }
export type WalletState = {
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
export type BacklogEntry = { kind: string; state: string; count: number; oldestMs: number }
/** A worker of this process whose steps have failed without a success since a time. */
export type Failing = { worker: string; sinceMs: number }
/** Jobs whose time is nearly over while something is missing, and the first of them. */
export type LateJobs = { missing: 'deliverable' | 'settlement'; count: number; leftMs: number; jobId: string; agent: string }
/** A hire that ended: how long after its yes, and after its last deliverable. */
export type EndedHire = { chainId: number; state: string; hireMs: number; settlementMs: number | undefined }
export type Contest = { agent: string; agoMs: number }
/** Rows of a table that a process could not read: how many, and the first with the reason. */
export type Unreadable = { source: string; count: number; key: string; reason: string }
export type Leader = { leads: string; process: string }

/** The state of the service, as an operator sees it. */
export type OperatorState = {
  /** The newest reports of agents by users. */
  reports?: { agentId: string; reason: string; words: string; at: number }[]
  chains: ChainState[]
  wallets: WalletState[]
  backlog: BacklogEntry[]
  failing: Failing[]
  lateJobs: LateJobs[]
  contests: Contest[]
  unreadable: Unreadable[]
  leaders: Leader[]
}

/** Something that an operator must act on. `afterMs`: how long it must last before it is an alert. */
export type Condition = { alert: string; subject: string; words: string; remedy: string; afterMs: number }

/** Beyond these limits a condition is an alert. docs/operations.md has the same figures. */
const maxBlocksBehind = 50
const maxEffectMs = 5 * minuteMs
const maxDueMs = minuteMs
const failingMs = 5 * minuteMs
const minTreasuryDays = 1
/** Time in ms for which two pollers of one agent are an alert after both asked. */
export const contestMs = 10 * minuteMs

export const conditionsOf = ({
  chains,
  wallets,
  backlog,
  failing,
  lateJobs,
  contests,
  unreadable,
}: OperatorState): Condition[] => [
  ...chains.flatMap(ofChain),
  ...wallets.flatMap(ofWallet),
  ...backlog.flatMap(ofBacklog),
  ...failing.flatMap(({ worker, sinceMs }) => (sinceMs >= failingMs ? [workerFails(worker)] : [])),
  ...lateJobs.map(ofLateJobs),
  ...ofContests(contests),
  ...unreadable.map(ofUnreadable),
]

const ofChain = ({ chainId, up, behind = 0, refused }: ChainState): Condition[] => {
  const of = { subject: `chain ${chainId}`, remedy: `Check the node behind RPC_URL_${chainId}, and market operator doctor.` }
  if (refused) return [{ ...of, alert: 'chain-refused', words: refused, afterMs: minuteMs }]
  if (!up) return [{ ...of, alert: 'chain-down', words: `The node of chain ${chainId} does not answer.`, afterMs: minuteMs }]
  if (behind <= maxBlocksBehind) return []
  const words = `The events of ${behind} blocks of chain ${chainId} were not read yet.`
  return [{ ...of, alert: 'chain-behind', words, afterMs: 5 * minuteMs }]
}

const ofWallet = ({ chainId, role, address, isFilled, daysLeft }: WalletState): Condition[] => {
  if (role !== 'treasury' || (isFilled && (daysLeft === undefined || daysLeft >= minTreasuryDays))) return []
  const words = isFilled
    ? `The treasury ${address} has native coin of chain ${chainId} for less than a day.`
    : `The treasury ${address} cannot fill other wallets on chain ${chainId}.`
  const remedy = `Send it native coin of chain ${chainId}.`
  return [{ alert: 'treasury-low', subject: `chain ${chainId}`, words, remedy, afterMs: 0 }]
}

const ofBacklog = ({ kind, state, oldestMs }: BacklogEntry): Condition[] => {
  const minutes = Math.round(oldestMs / minuteMs)
  const of = { subject: state, afterMs: 0 }
  if (kind === 'effect' && oldestMs > maxEffectMs) {
    const words = `A ${state} transaction has not been mined for ${minutes} minutes.`
    return [{ ...of, alert: 'effects-late', words, remedy: 'Check the chain, its fees and the treasury.' }]
  }
  if (kind !== 'run' || oldestMs <= maxDueMs) return []
  return [{ ...of, alert: 'runs-late', words: `A run has been due for ${minutes} minutes.`, remedy: 'Start more workers.' }]
}

const workerFails = (worker: string): Condition => ({
  alert: 'worker-failing',
  subject: worker,
  words: `Every step of the worker ${worker} has failed for five minutes.`,
  remedy: 'Read the log of the leading process.',
  afterMs: 0,
})

const missing = {
  deliverable: {
    alert: 'jobs-undelivered',
    words: 'no deliverable',
    remedy: 'Ask GET /agents/{agent}/diagnosis what its agent lacks.',
  },
  settlement: {
    alert: 'jobs-unsettled',
    words: 'a deliverable that is not paid or refused',
    remedy: 'Check the chain, its fees, the treasury and the log of the leading process.',
  },
}

const ofLateJobs = ({ missing: what, count, leftMs, jobId, agent }: LateJobs): Condition => {
  const { alert, words, remedy } = missing[what]
  const jobs = count === 1 ? 'A job has' : `${count} jobs have`
  const left = leftMs <= 0 ? 'no time' : `${Math.ceil(leftMs / 1_000)} seconds`
  const first = `The first is ${jobId} of agent ${agent}, with ${left} left.`
  return { alert, subject: what, words: `${jobs} ${words} near the deadline. ${first}`, remedy, afterMs: 0 }
}

/** One alert for all agents, because strangers can poll for many. */
const ofContests = (contests: Contest[]): Condition[] => {
  const now = contests.filter(it => it.agoMs < contestMs)
  if (now.length === 0) return []
  const words = `Two processes poll without a credential for the jobs of ${now.map(it => it.agent).join(', ')}.`
  const remedy = 'Ask the owner to stop one, or to poll with the secret of the agent.'
  return [{ alert: 'two-pollers', subject: 'agents', words, remedy, afterMs: 0 }]
}

const ofUnreadable = ({ source, count, key, reason }: Unreadable): Condition => {
  const rows = count === 1 ? 'A row' : `${count} rows`
  const words =
    `${rows} of the table ${source} cannot be read by this release, and the work on it waits. ` + `The first is ${key}: ${reason}`
  const remedy = 'Run the release that wrote it, or restore the row. All other rows go on.'
  return { alert: 'rows-unreadable', subject: source, words, remedy, afterMs: 0 }
}

/** A change to report to the operator: an alert began, or it is over. */
export type News = Condition & { status: 'firing' | 'resolved'; since: number }
/** The watched conditions, and whether each was reported. `since` is epoch ms. */
export type AlertState = { condition: Condition; since: number; isReported: boolean }
type Watched = Map<string, AlertState>
export const toAlertKey = ({ alert, subject }: Pick<Condition, 'alert' | 'subject'>): string => `${alert} ${subject}`

/** Compares the present conditions with the last ones. An alert is reported once when it begins and once when it is over. */
export const followAlerts = (before: Watched, conditions: Condition[], now: number): { watched: Watched; news: News[] } => {
  const watched: Watched = new Map()
  const news: News[] = []
  for (const condition of conditions) {
    const key = toAlertKey(condition)
    const { since, isReported } = before.get(key) ?? { since: now, isReported: false }
    const reports = !isReported && now - since >= condition.afterMs
    if (reports) news.push({ ...condition, status: 'firing', since })
    watched.set(key, { condition, since, isReported: isReported || reports })
  }
  for (const [key, { condition, since, isReported }] of before)
    if (isReported && !watched.has(key)) news.push({ ...condition, status: 'resolved', since })
  return { watched, news }
}

/** The states to keep for the next leader. What was not posted yet counts as not reported, so that the next leader posts it. */
export const toKept = (watched: Watched, waiting: readonly News[]): AlertState[] => {
  const kept = new Map(watched)
  for (const { status, since, ...condition } of waiting) {
    const isReported = status === 'resolved'
    if (!isReported || !kept.has(toAlertKey(condition))) kept.set(toAlertKey(condition), { condition, since, isReported })
  }
  return [...kept.values()]
}

/** Days for which a wallet's coin lasts at its present rate. */
export const toDaysLeft = (coinWei: bigint, spentWeiADay: bigint | undefined): number | undefined =>
  spentWeiADay === undefined || spentWeiADay === 0n ? undefined : Number((coinWei * 10n) / spentWeiADay) / 10

/** The cost of a day, from transactions that were mined within `sinceMs`. Less than a day counts as a day. */
export const toADay = (costWei: bigint, sinceMs: number): bigint =>
  sinceMs <= dayMs ? costWei : (costWei * BigInt(dayMs)) / BigInt(Math.round(sinceMs))

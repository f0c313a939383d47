import type { Audit } from '../audit/audit.ts'

/** Statistics of real processes and a real chain. Amounts in atomic USDC. */
export type RealTally = {
  kills: number
  /** Kills of the embedded chain's process. */
  chainKills: number
  /** Faults of an external chain and of the connection to it, by name. A kind is a number of the fault matrix. */
  chainFaults: Map<string, { kind: number; count: number }>
  hires: number
  /** Purchases by x402 of paid calls of the same service, and trades of tokens. */
  purchases: number
  /** Those of them in the scheme `upto`. */
  byUse: number
  /** Hires that were paid by use, and gave the unused part back. */
  hiresByUse: number
  trades: number
  /** Paid calls with which a payer cheated, by how. */
  cheats: Map<string, number>
  audits: number
  recoveries: number
  slowestServedMs: number
  slowestSettledMs: number
  /** The crash with the slowest recovery. */
  slowestDeath: string
  /** The longest time from the end of chain faults until the service was idle. */
  slowestRest: { ms: number; after: string }
  usdcLost: bigint
  usdcCreated: bigint
  violations: string[]
}

export const emptyRealTally = (): RealTally => ({
  ...{
    kills: 0,
    chainKills: 0,
    hires: 0,
    purchases: 0,
    byUse: 0,
    hiresByUse: 0,
    trades: 0,
    audits: 0,
    recoveries: 0,
    slowestServedMs: 0,
    slowestSettledMs: 0,
    slowestDeath: '',
  },
  slowestRest: { ms: 0, after: '' },
  ...{ chainFaults: new Map(), cheats: new Map(), usdcLost: 0n, usdcCreated: 0n, violations: [] },
})

export const addAudit = (tally: RealTally, { violations, usdcLost, usdcCreated }: Audit, where: string): void => {
  tally.audits += 1
  tally.usdcLost += usdcLost
  tally.usdcCreated += usdcCreated
  tally.violations.push(...violations.map(it => `${it} (${where})`))
}

type Paid = Pick<RealTally, 'purchases' | 'byUse' | 'hiresByUse'>
export const addPaid = (tally: RealTally, { purchases, byUse, hiresByUse }: Paid): void => {
  tally.hiresByUse += hiresByUse
  tally.purchases += purchases
  tally.byUse += byUse
}

export const addChainFault = ({ chainFaults }: RealTally, { kind, name }: { kind: number; name: string }): void =>
  void chainFaults.set(name, { kind, count: (chainFaults.get(name)?.count ?? 0) + 1 })

export const addCheat = ({ cheats }: Pick<RealTally, 'cheats'>, how: string): void =>
  void cheats.set(how, (cheats.get(how) ?? 0) + 1)

const sumOf = (counts: Iterable<number>) => [...counts].reduce((sum, it) => sum + it, 0)
export const cheatsOf = ({ cheats }: Pick<RealTally, 'cheats'>): number => sumOf(cheats.values())

export const chainFaultsOf = ({ chainFaults }: Pick<RealTally, 'chainFaults'>): number =>
  sumOf([...chainFaults.values()].map(it => it.count))

/** Records how a service ended that was asked to stop. */
export const noteEnd = (tally: RealTally, { code, words }: { code: unknown; words: string }): void => {
  if (code !== 0) tally.violations.push(`I11 the service ended with ${code}: ${words}`)
}

const countOf = (invariant: string) => (tally: Pick<RealTally, 'violations'>) =>
  tally.violations.filter(it => it.startsWith(invariant)).length
export const jobsLostOf = countOf('I3')
export const doubleSettlementsOf = countOf('I2')

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/** The progress in one line. */
export const toProgress = (tally: RealTally): string =>
  [
    `${tally.kills} kills of the service and ${tally.chainKills} of its chain (slowest recovery ${seconds(tally.slowestSettledMs)})`,
    `${chainFaultsOf(tally)} chain faults`,
    `${tally.hires} hires (${tally.hiresByUse} by use)`,
    `${tally.purchases} x402 purchases (${tally.byUse} by use)`,
    `${cheatsOf(tally)} cheats`,
    `${tally.trades} token trades`,
    `${tally.audits} audits`,
    `${tally.violations.length} violations`,
  ].join(', ')

import type { Audit } from '../audit/audit.ts'

/** What real processes and a real chain went through. Amounts in the token's smallest unit. */
export type RealTally = {
  kills: number
  /** Kills of the process that serves the embedded chain. */
  chainKills: number
  /** Faults of a chain of somebody else and on the way to it, by name; their kinds are numbers of the fault matrix. */
  chainFaults: Map<string, { kind: number; count: number }>
  hires: number
  audits: number
  recoveries: number
  slowestServedMs: number
  slowestSettledMs: number
  /** What the slowest one recovered from. */
  slowestDeath: string
  /** From the end of some chain faults until everything was at rest. */
  slowestRest: { ms: number; after: string }
  usdcLost: bigint
  usdcCreated: bigint
  violations: string[]
}

export const emptyRealTally = (): RealTally => ({
  ...{ kills: 0, chainKills: 0, hires: 0, audits: 0, recoveries: 0, slowestServedMs: 0, slowestSettledMs: 0, slowestDeath: '' },
  slowestRest: { ms: 0, after: '' },
  ...{ chainFaults: new Map(), usdcLost: 0n, usdcCreated: 0n, violations: [] },
})

export const addAudit = (tally: RealTally, { violations, usdcLost, usdcCreated }: Audit, where: string): void => {
  tally.audits += 1
  tally.usdcLost += usdcLost
  tally.usdcCreated += usdcCreated
  tally.violations.push(...violations.map(it => `${it} (${where})`))
}

export const addChainFault = ({ chainFaults }: RealTally, { kind, name }: { kind: number; name: string }): void =>
  void chainFaults.set(name, { kind, count: (chainFaults.get(name)?.count ?? 0) + 1 })

export const chainFaultsOf = ({ chainFaults }: Pick<RealTally, 'chainFaults'>): number =>
  [...chainFaults.values()].reduce((sum, it) => sum + it.count, 0)

/** How a service that was asked to stop has ended. */
export const noteEnd = (tally: RealTally, { code, words }: { code: unknown; words: string }): void => {
  if (code !== 0) tally.violations.push(`I11 the service ended with ${code}: ${words}`)
}

const countOf = (invariant: string) => (tally: Pick<RealTally, 'violations'>) =>
  tally.violations.filter(it => it.startsWith(invariant)).length
export const jobsLostOf = countOf('I3')
export const doubleSettlementsOf = countOf('I2')

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/** How far it is, in a line. */
export const toProgress = (tally: RealTally): string =>
  [
    `${tally.kills} kills of the service and ${tally.chainKills} of its chain (slowest recovery ${seconds(tally.slowestSettledMs)})`,
    `${chainFaultsOf(tally)} chain faults`,
    `${tally.hires} hires`,
    `${tally.audits} audits`,
    `${tally.violations.length} violations`,
  ].join(', ')

import { mkdtemp, rm } from 'node:fs/promises'
import { type Fault, runProcessFaults } from '../processes/processFaults.ts'
import { emptyRealTally } from '../real/tally.ts'
import { toProcessRecord, toProcessSentence } from '../report.ts'
import { until } from '../until.ts'
import { anyStandby, type FailoverCluster, primaryOf, startFailoverCluster } from './failoverCluster.ts'
import type { Member } from './member.ts'
import { installPackages } from './packages.ts'

/** The service must go on so long after the election, in ms. */
const maxStallMs = 30_000
const durations = { stoppedMs: 0, databaseMs: 0, chainMs: 0 }
const processes = 2

type Options = { signal: AbortSignal; tell(line: string): void }
/** Of one fault, in ms: from the fault until another primary, and from then until a job moved. */
type Election = { fault: string; elected_ms: number; stall_ms: number }
type Strike = { name: string; end(of: Member): unknown; heal(of: Member): unknown }

const strikes: Strike[] = [
  { name: 'kill -9 of the primary', end: it => it.kill(), heal: it => it.start() },
  { name: 'the primary is cut off', end: it => it.freeze(), heal: it => it.thaw() },
  { name: 'the primary is demoted', end: it => it.handOver(), heal: () => undefined },
]

const moved = 'select 1 from job where updated_at > $1 limit 1'

const toFault = ({ name, end, heal }: Strike, database: () => FailoverCluster, elections: Election[]): Fault => ({
  name,
  async strike() {
    const { members, ask } = database()
    const before = await primaryOf(members)
    const others = members.filter(it => it !== before)
    const startedAt = Date.now()
    await end(before)
    const after = await primaryOf(others)
    const electedAt = Date.now()
    // A primary that was cut off wakes up while it still takes itself for the primary.
    await heal(before)
    await until('a job that moves', async () => ((await ask(moved, [electedAt])).length > 0 ? true : undefined))
    elections.push({ fault: name, elected_ms: electedAt - startedAt, stall_ms: Date.now() - electedAt })
    await until('the earlier primary as a standby', async () => (await anyStandby([before])) || undefined, { pauseMs: 300 })
    await expectFenced(before, after)
  },
})

/** The earlier primary follows, and no lock of a leader is on it. */
const expectFenced = async (before: Member, after: Member) => {
  const locks = `select pg_is_in_recovery() as follows, (select count(*)::int from pg_locks where locktype = 'advisory') as locks`
  const [state] = await before.ask(locks)
  if (state?.follows !== true || state.locks !== 0 || !(await after.isPrimary()))
    throw new Error(`the earlier primary still leads: ${JSON.stringify(state)}`)
}

/** Kills, cuts off and demotes the primary of a cluster under hires, and audits database and chain after each. */
export const runFailover = async ({ signal, tell }: Options) => {
  await installPackages(tell)
  tell('two PostgreSQL servers with a synchronous standby, Patroni, etcd and HAProxy on loopback …')
  const logs = await mkdtemp('/tmp/marketplace-failover-logs-')
  let cluster: FailoverCluster | undefined
  const database = () => {
    if (!cluster) throw new Error('no database')
    return cluster
  }
  const startDatabase = async () => {
    cluster = await startFailoverCluster(logs)
    const { url, ask, close: stop } = cluster
    return { url, ask, stop, volume: undefined, restart: async () => undefined }
  }
  const tally = emptyRealTally()
  const elections: Election[] = []
  const faults = strikes.map(it => toFault(it, database, elections))
  const recovered = await runProcessFaults({ processes, startDatabase, faults, durations, signal, tell }, tally)
  for (const it of elections) {
    tell(`${it.fault}: another primary after ${it.elected_ms} ms, and jobs moved ${it.stall_ms} ms later`)
    if (it.stall_ms > maxStallMs) tally.violations.push(`P7 nothing went on for ${it.stall_ms} ms (${it.fault})`)
  }
  for (const it of tally.violations) tell(`VIOLATION ${it}`)
  if (tally.violations.length === 0) await rm(logs, { recursive: true })
  else tell(`PostgreSQL, Patroni, etcd and HAProxy wrote what they did into ${logs}`)
  tell(toProcessSentence(processes, tally))
  return { ...toProcessRecord(processes, tally, recovered), elections }
}

import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endOrphan } from '../../src/chain/embedded/devnode/orphan.ts'
import { type Audit, type AuditOptions, audit, auditAtRest } from './audit/audit.ts'
import { openLedgers } from './audit/ledgers.ts'
import { openCheat } from './cheat.ts'
import { type CrashAt, chainKillsFile } from './crash.ts'
import { lookForChain } from './embedded.ts'
import { startLiar } from './liar.ts'
import { beginLife, type Life } from './life.ts'
import { drummer, latinist, rhymer } from './provider.ts'
import type { Random } from './sim/random.ts'
import { watchStart } from './startWatch.ts'
import { until } from './until.ts'
import { openUser } from './user.ts'

/** Time in ms from the start after a kill until the service serves, and until every open job has ended. */
export type Recovery = { servedMs: number; settledMs: number }

type Options = {
  /** The crashes of each process in turn. Further processes do not crash. */
  deaths: CrashAt[][]
  /** The folders of the releases of each process in turn. Further processes are of this one. */
  roots?: string[] | undefined
  /** The agents that join; all where none are named. */
  agents?: readonly (typeof rhymer)[]
  onKill?: () => void
  onRecovery?: (it: Recovery) => void
}

/** The longest validity of a payment to the seller outside, in ms. */
const expiryMs = 180_000

const env = { FAUCET_USDC: '1000' }
/** A service whose process is killed and restarted on the same data, with agents and a user that keep running. */
export const openMarket = async ({ agents: joining = [rhymer, latinist, drummer], ...lives }: Options) => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-fault-'))
  const closers: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })]
  const close = async () => {
    for (let next = closers.pop(); next; next = closers.pop()) await next()
  }
  try {
    const service = await startMortal({ dir, ...lives })
    closers.push(service.close)
    const agents = await Promise.all(joining.map(it => it(service.url).start()))
    closers.push(...agents.map(it => it.stop))
    const user = await openUser({ url: service.url, dir, elapsedMs: service.servedMs })
    /** Somebody with USDC in a wallet of their own, who cheats when paying the drummer. */
    const openPayer = async () => {
      const person = await openUser({ url: service.url, dir, name: 'cheat', elapsedMs: service.servedMs })
      const privateKey = await person.withdraw('5')
      return openCheat({
        ...{ url: `${service.url}/x402/agents/drummer/offerings/beats`, body: { message: 'tam tata' } },
        ...{ privateKey, node: () => lookForChain(dir), elapsedMs: service.servedMs },
      })
    }
    /** A seller outside the service that may lie about its charges. */
    const openSeller = async (random: Random) => {
      const seller = await startLiar({ random, node: () => lookForChain(dir) })
      closers.push(seller.stop)
      return seller
    }
    /** Stops the service as an operator does. */
    const stop = () => Promise.all(agents.map(it => it.stop())).then(service.stop)
    return { ...service, dir, user, openPayer, openSeller, stop, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A clock that stops while no service serves, because the duration of a start is judged separately. */
const createServingClock = () => {
  let before = 0
  let since: number | undefined = performance.now()
  const elapsedMs = () => before + (since === undefined ? 0 : performance.now() - since)
  return {
    elapsedMs,
    start() {
      since ??= performance.now()
    },
    stop() {
      before = elapsedMs()
      since = undefined
    },
  }
}

const startMortal = async ({
  dir,
  deaths: [first = [], ...later],
  roots = [],
  onKill,
  onRecovery,
}: Omit<Options, 'agents'> & { dir: string }) => {
  const [root, ...laterRoots] = roots
  let current = beginLife({ dir, port: 0, crashes: first, env }, root)
  let isStopped = false
  const stop = async () => {
    isStopped = true
    current.stop()
    return { ...(await current.ended), words: await current.words }
  }
  await watchStart(current)
  const url = await current.url
  if (!url) throw new Error(`no service: ${(await stop()).words}`)
  const port = Number(new URL(url).port)
  const ledgers = openLedgers(join(dir, 'market.db'))
  let aheadMs = 0
  let machineAheadMs = 0
  let kills = 0

  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  const serving = createServingClock()
  const follow = async (life: Life): Promise<void> => {
    await watchStart(life)
    if (life === current) serving.start()
  }
  const supervise = async (life: Life): Promise<void> => {
    const { code, signal } = await life.ended
    if (isStopped) return
    if (signal !== 'SIGKILL') return failed.reject(new Error(`the service ended with ${code}: ${await life.words}`))
    serving.stop()
    kills += 1
    onKill?.()
    // An agent that did not receive its leased job is detected only when the lease expires, so the clock is moved there.
    aheadMs = Math.max(aheadMs, ledgers.lastLease() - Date.now())
    current = beginLife({ dir, port, aheadMs, machineAheadMs, crashes: later.shift() ?? [], env }, laterRoots.shift())
    follow(current).catch(failed.reject)
    void measure(current, ledgers.openJobs())
    return supervise(current)
  }
  const measure = async (life: Life, open: string[]) => {
    if (!(await life.url)) return
    const servedMs = performance.now() - life.begunAt
    const over = async () => life !== current || ledgers.areOver(open) || undefined
    await until('the open jobs to end', over).catch(() => undefined)
    if (life === current && !isStopped) onRecovery?.({ servedMs, settledMs: performance.now() - life.begunAt })
  }
  void supervise(current)

  return {
    url,
    stop,
    kill: () => current.kill(),
    kills: () => kills,
    /** Total time in ms for which the service has served. */
    servedMs: serving.elapsedMs,
    chainKills: () => (existsSync(chainKillsFile(dir)) ? statSync(chainKillsFile(dir)).size : 0),
    /** Rejects when the service ends other than by a kill, or hangs at its start. */
    failed: failed.promise,
    /** Waits until nothing is running, then compares database and chain. */
    audit: (options: Partial<AuditOptions> = {}): Promise<Audit> =>
      auditAtRest(ledgers, async () => audit({ ledgers, ...lookForChain(dir), ...options })),
    /** Kills the service, and waits until all purchases of a seller have ended. On the machine they have expired by then. */
    async bought(url: string) {
      machineAheadMs = aheadMs + expiryMs
      current.kill()
      await until(`the purchases of ${url} to end`, async () => ledgers.checkBought(url), { elapsedMs: serving.elapsedMs })
    },
    paid: ledgers.paid,
    async close() {
      await stop()
      ledgers.close()
      await endOrphan(join(dir, 'chain'))
    },
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWithClosers } from '../../closers.ts'
import { type Audit, always, audit } from '../audit/audit.ts'
import { beginLife, home, type Life } from '../life.ts'
import { rhymer } from '../provider.ts'
import { until } from '../until.ts'
import { openUser } from '../user.ts'
import { startBalancer } from './balancer.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { copyLedgers, openJobsOf } from './copy.ts'
import { openSharedChain } from './sharedChain.ts'
import { openSlowLine } from './slowLine.ts'

/** `root`: the folder of the release that runs at first. `databaseDelayMs`: how far away the database is, in each direction. */
type Options = {
  processes: number
  users: number
  root?: string | undefined
  startDatabase?: (() => Promise<Cluster>) | undefined
  onKill?: () => void
  databaseDelayMs?: number
}

/** One of the processes. Each process that dies is followed by another one on the same folder and port, of the release in `root`. */
type Place = { dir: string; port: number; root: string; life: Life; isStopped: boolean; isLeaving: boolean }

export type ProcessMarket = Awaited<ReturnType<typeof openProcessMarket>>

/** Several service processes on one PostgreSQL server and one node, with an agent and users who reach any of them. */
export const openProcessMarket = (options: Options) => openWithClosers(whenClosing => open(options, whenClosing))

const leaderSession = `select l.pid, a.application_name as name from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.objid = 97 and l.granted`

const open = async (
  { processes, users, root: first = home, startDatabase = startCluster, onKill, databaseDelayMs = 0 }: Options,
  whenClosing: (close: () => Promise<unknown>) => void,
) => {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-shared-'))
  whenClosing(() => rm(folder, { recursive: true, force: true }))
  const cluster = await startDatabase()
  whenClosing(cluster.stop)
  const chain = await openSharedChain(cluster.url, first)
  whenClosing(chain.stop)
  const line = databaseDelayMs > 0 ? await openSlowLine(cluster.url, databaseDelayMs) : undefined
  whenClosing(async () => line?.stop())
  const places: Place[] = []
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  let isOver = false

  const balancer = await startBalancer(() => places.flatMap(it => (it.isStopped ? [] : [it.port])))
  whenClosing(balancer.stop)
  const { url } = balancer

  const begin = ({ dir, port, root }: Pick<Place, 'dir' | 'port' | 'root'>) => {
    const env = { ...chain.env, ...(line && { DATABASE_URL: line.url }), PUBLIC_URL: url, LOG_LEVEL: 'silent' }
    return beginLife({ dir, port, env }, root)
  }
  const supervise = async (place: Place): Promise<void> => {
    const { code, signal } = await place.life.ended
    if (isOver) return
    if (signal === 'SIGKILL') onKill?.()
    else if (!place.isLeaving) return failed.reject(new Error(`a process ended with ${code}: ${await place.life.words}`))
    place.isLeaving = false
    place.life = begin(place)
    return supervise(place)
  }
  const start = async (root: string) => {
    const at = { dir: await mkdtemp(join(folder, 'process-')), port: 0, root }
    const life = begin(at)
    whenClosing(async () => void life.kill())
    const url = await life.url
    if (!url) throw new Error(`no service: ${await life.words}`)
    const place = { ...at, port: Number(new URL(url).port), life, isStopped: false, isLeaving: false }
    places.push(place)
    void supervise(place)
  }
  await Promise.all(Array.from({ length: processes }, () => start(first)))
  whenClosing(async () => {
    isOver = true
    for (const { life } of places) life.kill()
    await Promise.all(places.map(it => it.life.ended))
  })
  const agent = await rhymer(url).start()
  whenClosing(agent.stop)
  const people = await Promise.all(Array.from({ length: users }, (_, at) => openUser({ url, dir: folder, name: `user${at}` })))
  for (const { proxy } of people) await chain.mint(proxy)

  const audits = join(folder, 'audit.db')
  /** Compares a copy of the database with the chain, once nothing is under way. */
  const look = async (isPatient: boolean): Promise<Audit | undefined> => {
    const ledgers = await copyLedgers(cluster, audits)
    try {
      return isPatient && !ledgers.isQuiet() ? undefined : await audit({ ledgers, ...chain.place, toldOnce: always })
    } finally {
      ledgers.close()
    }
  }
  const auditNow = async (): Promise<Audit> => {
    const patient = () => until('a quiet database', () => look(true), { pauseMs: 300 })
    const first = await patient().catch(() => until('an audit', () => look(false)))
    return first.violations.length === 0 ? first : until('an audit', () => look(false))
  }
  return {
    url,
    users: people,
    places,
    start,
    /** Ends a process as named, and waits until one of another release serves in its place. */
    async replace(place: Place, by: { root: string; end: 'kill' | 'stop' }) {
      const before = place.life
      place.root = by.root
      place.isLeaving = by.end === 'stop'
      before[by.end]()
      await before.ended
      const after = await until('the next process', async () => (place.life === before ? undefined : place.life))
      if (!(await after.url)) throw new Error(`no service: ${await after.words}`)
    },
    /** Starts a process that is expected to be refused. Its words, once it has ended. */
    async refusal(root: string) {
      const life = begin({ dir: await mkdtemp(join(folder, 'refused-')), port: 0, root })
      whenClosing(async () => void life.kill())
      if (await life.url) throw new Error('a process serves that had to be refused')
      return life.words
    },
    cluster,
    proxy: chain.proxy,
    balancer,
    failed: failed.promise,
    openJobs: () => openJobsOf(cluster),
    audit: auditNow,
    /** The process that leads the chain, once there is one, and the session that holds its lock. */
    leader: () =>
      until('a leader', async () => {
        const [session] = await cluster.ask(leaderSession)
        const place = places.find(it => `${session?.name}`.startsWith(`market ${it.life.pid} `))
        return session && place && { place, session: Number(session.pid) }
      }),
    /** Asks every process to stop, as an operator does. */
    async stop() {
      isOver = true
      for (const { life } of places) life.stop()
      return Promise.all(places.map(async ({ life }) => ({ ...(await life.ended), words: await life.words })))
    },
  }
}

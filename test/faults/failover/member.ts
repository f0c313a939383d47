import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askAt } from '../processes/cluster.ts'
import { until } from '../until.ts'

/** `etcd`: the setting of Patroni that names it. */
type Place = { home: string; logs: string; name: string; port: number; rest: number; etcd: Record<string, unknown>; bin: string }

export type Member = ReturnType<typeof createMember>

/**
 * A program of the cluster, which writes into a file. PostgreSQL refuses to run as root, so root starts it as the account of
 * PostgreSQL.
 */
export const startProgram = (line: string[], log: string): ChildProcess => {
  const [file = '', ...rest] =
    process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', ...line] : line
  const out = openSync(log, 'a')
  return spawn(file, rest, { cwd: '/', stdio: ['ignore', out, out], env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } })
}

/** One PostgreSQL server with the Patroni that leads it. */
export const createMember = (of: Place) => {
  const file = join(of.home, `${of.name}.json`)
  const data = join(of.home, of.name)
  let patroni: ChildProcess | undefined
  const url = `postgres://postgres@127.0.0.1:${of.port}/postgres`
  const pids = () => {
    const postmaster = Number.parseInt(readText(join(data, 'postmaster.pid')), 10)
    return [patroni?.pid ?? 0, ...(postmaster > 0 ? [postmaster, ...childrenOf(postmaster)] : [])].filter(it => it > 0)
  }
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids())
      try {
        process.kill(pid, name)
      } catch {
        // It has ended since.
      }
  }
  return {
    name: of.name,
    rest: of.rest,
    port: of.port,
    async start() {
      // YAML contains JSON.
      await writeFile(file, JSON.stringify(settingsOf(of, data)), { mode: 0o644 })
      patroni = startProgram(['patroni', file], join(of.logs, `${of.name}.log`))
    },
    isPrimary: () => answers(`http://127.0.0.1:${of.rest}/primary`),
    /** Whether it follows the other one as its synchronous standby. */
    isStandby: () => answers(`http://127.0.0.1:${of.rest}/sync`),
    ask: (statement: string) => askAt(url, statement),
    /** Ends the server and its Patroni at once, as a power cut does. */
    kill: () => signal('SIGKILL'),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async handOver() {
      const body = JSON.stringify({ leader: of.name })
      await fetch(`http://127.0.0.1:${of.rest}/switchover`, { method: 'POST', body })
    },
    async stop() {
      signal('SIGCONT')
      const ended = patroni && patroni.exitCode === null && patroni.signalCode === null ? once(patroni, 'exit') : undefined
      patroni?.kill('SIGTERM')
      await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 10_000))])
      signal('SIGKILL')
    },
  }
}

/** Waits until one of the members leads, and returns it. */
export const primaryOf = (members: Member[]): Promise<Member> =>
  until('a primary', async () => {
    const asked = await Promise.all(members.map(async it => ((await it.isPrimary()) ? [it] : [])))
    return asked.flat()[0]
  })

const answers = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    it => it.status === 200,
    () => false,
  )

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter(it => /^\d+$/.test(it))
    .filter(pid => Number(/\) \S (\d+)/.exec(readText(`/proc/${pid}/stat`))?.[1]) === parent)
    .map(Number)

/** The shortest times that Patroni takes. `docs/operations/high-availability.md` has longer ones. */
const times = { ttl: 20, loop_wait: 2, retry_timeout: 3 }

const settingsOf = ({ name, port, rest, etcd, bin, home }: Place, data: string) => {
  const parameters = { wal_log_hints: 'on', max_connections: 100, unix_socket_directories: home, fsync: 'off' }
  const account = { username: 'postgres' }
  const trusted = ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
  return {
    scope: 'market',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    ...etcd,
    bootstrap: {
      dcs: {
        ...times,
        synchronous_mode: true,
        maximum_lag_on_failover: 1_048_576,
        postgresql: { use_pg_rewind: true, parameters },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}`, data_dir: data, bin_dir: bin },
      ...{ pgpass: join(home, `${name}.pass`), pg_hba: trusted },
      authentication: { superuser: account, replication: account, rewind: account },
      remove_data_directory_on_diverged_timelines: true,
    },
  }
}

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openWithClosers } from '../../closers.ts'
import { askAt } from '../processes/cluster.ts'
import { until } from '../until.ts'
import { createMember, type Member, primaryOf, startProgram } from './member.ts'

const run = promisify(execFile)

export type FailoverCluster = Awaited<ReturnType<typeof startFailoverCluster>>

/**
 * Two PostgreSQL servers with a synchronous standby, led by Patroni and etcd, and HAProxy, which finds the primary.
 * @param logs the folder where all of them write what they do
 */
export const startFailoverCluster = (logs: string) =>
  openWithClosers(async whenClosing => {
    const home = await mkdtemp('/tmp/marketplace-failover-')
    whenClosing(() => rm(home, { recursive: true, force: true }))
    if (process.getuid?.() === 0) await run('chown', ['postgres', home])
    const [client = 0, peer = 0, front = 0, ...ports] = await freePorts(7)
    const bin = await newestPostgres()
    const api = await etcdSetting()
    const line = [...etcdLine(join(home, 'etcd'), { client, peer }), ...(api === 'etcd' ? ['--enable-v2'] : [])]
    const etcd = startProgram(line, join(logs, 'etcd.log'))
    whenClosing(async () => void etcd.kill('SIGKILL'))
    const named = { [api]: { hosts: `127.0.0.1:${client}` } }
    const places = [0, 1].map(at => ({ name: `member${at}`, port: ports[2 * at] ?? 0, rest: ports[2 * at + 1] ?? 0 }))
    const members = places.map(it => createMember({ ...it, home, logs, etcd: named, bin }))
    for (const it of members) {
      whenClosing(it.stop)
      await it.start()
    }
    const file = join(home, 'haproxy.cfg')
    await writeFile(file, toProxyFile(front, members), { mode: 0o644 })
    const proxy = startProgram(['haproxy', '-db', '-f', file], join(logs, 'haproxy.log'))
    whenClosing(async () => void proxy.kill('SIGKILL'))
    const url = `postgres://postgres@127.0.0.1:${front}/postgres`
    await until('the synchronous standby', async () => (await anyStandby(members)) || undefined, { pauseMs: 200 })
    await until('the way to the primary', () => askAt(url, 'select 1'))
    return { url, members, ask: (statement: string, values?: unknown[]) => askAt(url, statement, values) }
  })

export const anyStandby = async (members: Member[]) => (await Promise.all(members.map(it => it.isStandby()))).includes(true)
export { primaryOf }

const newestPostgres = async (): Promise<string> => {
  const versions = await readdir('/usr/lib/postgresql').catch((): string[] => [])
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0]
  if (!newest) throw new Error('There is no PostgreSQL in /usr/lib/postgresql. Install the package postgresql.')
  return `/usr/lib/postgresql/${newest}/bin`
}

/**
 * Until 3.0.3, Patroni overwrites the leader's key of etcd's API v3 without a look at its owner when its own lease has ended
 * (Patroni, pull request 2689). With the API v2 it never did.
 */
const etcdSetting = async (): Promise<'etcd' | 'etcd3'> => {
  const { stdout } = await run('patroni', ['--version'])
  const version = /\d[\d.]*/.exec(stdout)?.[0] ?? ''
  return version.localeCompare('3.0.3', 'en', { numeric: true }) < 0 ? 'etcd' : 'etcd3'
}

const etcdLine = (dir: string, { client, peer }: { client: number; peer: number }): string[] => {
  const [forClients, forPeers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  return [
    ...['etcd', '--data-dir', dir, '--listen-client-urls', forClients, '--advertise-client-urls', forClients],
    ...['--listen-peer-urls', forPeers, '--initial-advertise-peer-urls', forPeers, '--initial-cluster', `default=${forPeers}`],
  ]
}

const toProxyFile = (front: number, members: Member[]): string =>
  [
    ...[
      'global',
      '  maxconn 1000',
      'defaults',
      '  mode tcp',
      '  timeout connect 3s',
      '  timeout client 1h',
      '  timeout server 1h',
    ],
    ...['listen primary', `  bind 127.0.0.1:${front}`, '  option httpchk OPTIONS /primary', '  http-check expect status 200'],
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...members.map(it => `  server ${it.name} 127.0.0.1:${it.port} check port ${it.rest}`),
    '',
  ].join('\n')

/** Free ports, found by taking them for a moment, all at once. */
const freePorts = async (count: number): Promise<number[]> => {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  const ports = await Promise.all(
    servers.map(it => new Promise<number>(resolve => it.once('listening', () => resolve((it.address() as AddressInfo).port)))),
  )
  await Promise.all(servers.map(it => new Promise(resolve => it.close(resolve))))
  return ports
}

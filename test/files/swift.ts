import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { Engine } from './s3.ts'

/**
 * OpenStack Swift, an object store that many machines share in production, on one machine: Debian's packages swift-proxy,
 * swift-account, swift-container and swift-object. It verifies signatures itself. The test's folder needs extended attributes.
 */
export const isSwiftWanted = process.env.TEST_S3 === 'swift'

const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }
const kinds = ['account', 'container', 'object'] as const
const filters = ['catch_errors', 'gatekeeper', 'cache', 'listing_formats', 's3api', 'tempauth', 'copy', 'slo', 'dlo']
const options: Record<string, string> = { tempauth: 'user_test_tester = testing .admin' }
const startMs = 60_000

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Writes the rings: which server has which objects. */
const ringWriter = `
import sys
from swift.common.ring import RingBuilder
folder, *ports = sys.argv[1:]
for kind, port in zip(("account", "container", "object"), ports):
    ring = RingBuilder(1, 1, 1)
    place = {"region": 1, "zone": 1, "ip": "127.0.0.1", "port": int(port), "device": "disk", "weight": 1}
    ring.add_dev({**place, "replication_ip": "127.0.0.1", "replication_port": int(port)})
    ring.rebalance()
    ring.get_ring().save(f"{folder}/{kind}.ring.gz")
`

const toSettings = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${process.env.USER ?? 'root'}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
`

const toProxySettings = () => `[pipeline:main]
pipeline = ${filters.join(' ')} versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
error_suppression_limit = 1000
${[...filters, 'versioned_writes', 'symlink']
  .map(it => `[filter:${it}]\nuse = egg:swift#${it === 'cache' ? 'memcache' : it}\n${options[it] ?? ''}\n`)
  .join('')}`

/** Runs the four servers of Swift, with one copy of each object, and makes a bucket. */
export const runSwift = async (folder: string, bucket: string): Promise<Engine> => {
  const servers: ChildProcess[] = []
  const start = async (kind: string, port: number, more: string) => {
    const settings = join(folder, `${kind}.conf`)
    await writeFile(settings, toSettings(folder, port) + more)
    servers.push(spawn(`swift-${kind}-server`, [settings], { stdio: 'ignore' }))
  }
  await mkdir(join(folder, 'devices', 'disk'), { recursive: true })
  const ports = await Promise.all(kinds.map(freePort))
  const [code] = await once(
    spawn('/usr/bin/python3', ['-c', ringWriter, folder, ...ports.map(String)], { stdio: 'inherit' }),
    'exit',
  )
  if (code !== 0) throw new Error('Swift writes no rings. Install swift-proxy, swift-account, swift-container and swift-object.')
  for (const [at, kind] of kinds.entries())
    await start(
      kind,
      ports[at] ?? 0,
      `[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
    )
  const port = await freePort()
  await start('proxy', port, toProxySettings())
  const stop = () => {
    const left = servers.filter(it => it.exitCode === null)
    for (const it of left) it.kill('SIGKILL')
    return Promise.all(left.map(it => once(it, 'exit')))
  }
  await makeBucket(`http://127.0.0.1:${port}/${bucket}`).catch(async error => {
    await stop()
    throw error
  })
  return { port, credentials, isObject: it => it.endsWith('.data'), stop }
}

/** Tries until all servers answer. */
const makeBucket = async (url: string): Promise<void> => {
  const client = new AwsClient({ ...credentials, region: 'us-east-1', service: 's3', retries: 0 })
  const until = Date.now() + startMs
  for (;;) {
    const answer = await client.fetch(url, { method: 'PUT' }).catch(() => undefined)
    if (answer?.ok) return
    if (Date.now() > until) throw new Error(`Swift does not start: ${answer?.status ?? 'no answer'}.`)
    await delay(200)
  }
}

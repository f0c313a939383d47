import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../freePort.ts'
import { until } from '../service.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(existsSync)
export const hasPgBouncer = program !== undefined

/** Starts PgBouncer in transaction mode before a PostgreSQL server, with fewer connections than a process asks for. */
export const startPgBouncer = async (url: string) => {
  const { hostname, port, pathname, username } = new URL(url)
  const dir = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  // As root it becomes another account, which reads this file.
  await chmod(dir, 0o755)
  const own = await freePort()
  const settings = [
    ...['[databases]', `* = host=${hostname} port=${port} user=${username}`],
    ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir =', 'auth_type = any'],
    ...['pool_mode = transaction', 'default_pool_size = 3', 'max_client_conn = 100'],
  ]
  await writeFile(join(dir, 'pgbouncer.ini'), `${settings.join('\n')}\n`)
  const account = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn(program ?? '', [...account, join(dir, 'pgbouncer.ini')], { stdio: 'ignore' })
  const pooler = `postgres://${username}@127.0.0.1:${own}${pathname}`
  await until('PgBouncer to answer', async () => {
    const client = new pg.Client({ connectionString: pooler })
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  })
  return {
    pooler,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

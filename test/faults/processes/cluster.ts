import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)
/** The folder of the server's data, as the command that controls it names it. */
const dataOf = (control: string) => /--pgdata=(\S+)/.exec(control)?.[1] ?? ''
const script = fileURLToPath(new URL('../../store/startPostgres.sh', import.meta.url))

/** `volume` is undefined where none can be mounted. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** Size of the volume of the tables. A market of a fault run needs a tenth of it. */
const volumeMb = 256
const filler = 'filler'

/** Enough for the longest statement, in ms. A server that was cut off never answers. */
const answerMs = 30_000

/** Runs one statement on a connection of its own. */
export const askAt = async (url: string, statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: answerMs, query_timeout: answerMs })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows
  } finally {
    await client.end()
  }
}

/** A PostgreSQL server of its own, which a fault run may restart. */
export const startCluster = async () => {
  // The folder of the tests is closed to the account that PostgreSQL runs as.
  const { TMPDIR: _, ...env } = process.env
  const { stdout, stderr } = await run('sh', [script], { env })
  const url = stdout.trim().split('\n').at(-1) ?? ''
  const end = stderr.trim().split('\n').at(-1) ?? ''
  const [control = ''] = end.split(' --silent')
  const sh = (line: string) => run('sh', ['-c', line], { cwd: '/', env })
  const asAdmin = (statement: string) => askAt(url, statement)
  /**
   * Puts the tables on a volume of their own in memory, whose room a fault can use up; the write-ahead log stays elsewhere.
   * Undefined where this account may not mount one.
   */
  const openVolume = async () => {
    const at = await mkdtemp(join('/tmp', 'marketplace-volume-'))
    try {
      await sh(`mount -t tmpfs -o size=${volumeMb}m tmpfs ${at}`)
    } catch {
      await rm(at, { recursive: true })
      return undefined
    }
    const inside = join(at, 'tables')
    await sh(`mkdir ${inside} && chown --reference=$(ls -d ${dataOf(control)}) ${inside} ${at}`)
    await asAdmin(`create tablespace volume location '${inside}'`)
    await asAdmin('create database market tablespace volume')
    return {
      at,
      /** Uses up the room of the volume, as far as the last byte. */
      fill: () => sh(`cat /dev/zero > ${join(at, filler)} 2>/dev/null || true`),
      empty: () => rm(join(at, filler), { force: true }),
      close: async () => {
        await sh(`umount ${at}`)
        await rm(at, { recursive: true })
      },
    }
  }
  const volume = await openVolume()
  const market = new URL(url)
  if (volume) market.pathname = '/market'
  return {
    url: market.href,
    volume,
    /** Runs one statement as the administrator of the market's database. */
    ask: (statement: string, values: unknown[] = []) => askAt(market.href, statement, values),
    /** Stops the server as a power cut does, waits, and starts it again. */
    async restart(downMs: number) {
      await sh(`${control} --silent --mode=immediate stop`)
      await new Promise(resolve => setTimeout(resolve, downMs))
      // A restart takes the options of the first start.
      await sh(`${control} --silent --wait --log=/dev/null restart`)
    },
    async stop() {
      await sh(end)
      await volume?.close()
    },
  }
}

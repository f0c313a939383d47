import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../../store/startPostgres.sh', import.meta.url))

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** A PostgreSQL server of its own, which a fault run may restart. */
export const startCluster = async () => {
  // The folder of the tests is closed to the account that PostgreSQL runs as.
  const { TMPDIR: _, ...env } = process.env
  const { stdout, stderr } = await run('sh', [script], { env })
  const url = stdout.trim().split('\n').at(-1) ?? ''
  const end = stderr.trim().split('\n').at(-1) ?? ''
  const [control = ''] = end.split(' --silent')
  const sh = (line: string) => run('sh', ['-c', line], { cwd: '/', env })
  /** Runs one statement as its administrator. */
  const ask = async (statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(statement, values)).rows
    } finally {
      await client.end()
    }
  }
  return {
    url,
    ask,
    /** Stops the server as a power cut does, waits, and starts it again. */
    async restart(downMs: number) {
      await sh(`${control} --silent --mode=immediate stop`)
      await new Promise(resolve => setTimeout(resolve, downMs))
      // A restart takes the options of the first start.
      await sh(`${control} --silent --wait --log=/dev/null restart`)
    },
    stop: () => sh(end),
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

const main = new URL('../../src/main.ts', import.meta.url).pathname

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  server.close()
  await once(server, 'close')
  return port
}

const memoryOf = async (pid: number | undefined, row: 'VmHWM' | 'VmRSS'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(new RegExp(`${row}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) / 1024)
}

/** Further settings of the service, arguments of Node, and a folder with the data of an earlier process. */
type Options = { env?: Record<string, string>; args?: string[]; dir?: string }

/** Starts the service as a user does, in its own process and folder. Clients may name their address in X-Forwarded-For. */
export const startServiceProcess = async ({ env: more = {}, args = [], dir: given }: Options = {}) => {
  const dir = given ?? (await mkdtemp(join(tmpdir(), 'bench-service-')))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env.PATH,
    PORT: `${port}`,
    DATA_DIR: dir,
    LOG_LEVEL: 'error',
    TRUSTED_PROXY: 'X-Forwarded-For 127.0.0.1',
    ...more,
  }
  const child = spawn(process.execPath, [...args, main, 'start'], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      answer => answer.ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode} while it started.`)
    await delay(100)
  }
  return {
    url,
    dir,
    pid: child.pid ?? 0,
    /** The process, which answers messages if one of its modules does. */
    child,
    /** The peak memory of the process in MB. */
    peakRssMb: () => memoryOf(child.pid, 'VmHWM'),
    /** The memory of the process now, in MB. */
    rssMb: () => memoryOf(child.pid, 'VmRSS'),
    async stop() {
      if (child.exitCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      if (given === undefined) await rm(dir, { recursive: true, force: true })
    },
  }
}

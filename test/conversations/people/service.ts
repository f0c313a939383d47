import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

type Options = { token?: string | undefined; body?: unknown; ms?: number }
export type Answer = { status: number; body: unknown }
/** Sends one HTTP request to a service. */
export type Call = (path: string, options?: Options) => Promise<Answer>

const toBody = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const callAt =
  (base: string): Call =>
  async (path, { token, body, ms = 60_000 } = {}) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(base + path, { headers, signal: AbortSignal.timeout(ms), ...sent })
    return { status: response.status, body: toBody(await response.text()) }
  }

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  server.close()
  return port
}

const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const startMs = 120_000

/** Starts this checkout's service with its own data folder; `stop` stops it and deletes the folder. */
export const startService = async (): Promise<{ call: Call; stop(): Promise<void> }> => {
  const [port, dataDir] = [await freePort(), await mkdtemp(join(tmpdir(), 'people-'))]
  const own = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port), RATE_LIMIT: '0', FAUCET_USDC: '200' }
  const env = { ...process.env, ...own, LOCAL_AGENTS: 'city-clock,text-digest' }
  const child = spawn(process.execPath, ['src/main.ts', 'start'], { cwd: checkout, env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
  const call = callAt(`http://127.0.0.1:${port}`)
  for (const deadline = Date.now() + startMs; Date.now() < deadline && child.exitCode === null; await setTimeout(200))
    if (
      await call('/health', { ms: 3_000 }).then(
        it => it.status === 200,
        () => false,
      )
    )
      return { call, stop }
  await stop()
  throw new Error('the service did not start')
}

/** Signs in a user of the local world, who gets test USDC the first time. The same secret is the same user. */
export const signIn = async (call: Call, secret: string): Promise<string> => {
  const { code } = z.object({ code: z.string() }).parse((await call('/v1/init', { body: true })).body)
  const { body } = await call('/v1/approve/demo', { body: { code, secret, hand_over: false } })
  return z.object({ token: z.string() }).parse(body).token
}

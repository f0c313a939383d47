import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { startServiceProcess } from './serviceProcess.ts'

const root = join(import.meta.dirname, '../..')
const market = join(root, 'src/main.ts')
const server = join(root, 'node_modules/.bin/mcp-server-everything')

const hired = z.object({ state: z.string(), deliverable: z.string(), paid: z.string() }).loose()

type Step = { command: string; seconds: number }

/**
 * From an empty folder to the first paid job of a wrapped MCP server, beside a running service: what each command takes.
 * The time of installing the package is not part of it.
 */
export const benchSupply = async ({ say }: { say(line: string): void }) => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-supply-'))
  const service = await startServiceProcess()
  const env = { ...process.env, SERVICE_ENDPOINT: service.url, XDG_CONFIG_HOME: dir, SERVICE_PROXY_AUTH: '' }
  const begin = (args: string[]) =>
    spawn(process.execPath, [market, ...args], { cwd: dir, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const steps: Step[] = []
  const timed = async <T>(command: string, work: () => Promise<T>): Promise<T> => {
    const since = performance.now()
    const result = await work()
    const seconds = Math.round((performance.now() - since) / 100) / 10
    steps.push({ command, seconds })
    say(`${seconds.toFixed(1).padStart(6)} s  market ${command}`)
    return result
  }
  let wrapped: ChildProcess | undefined
  try {
    await timed('login --demo', () => ending(begin(['login', '--demo', '--json'])))
    const wrap = ['agent', 'wrap', 'mcp', '--only', 'get-sum', '--handle', 'sums', '--host', '127.0.0.1', '--', server]
    const child = begin(wrap)
    wrapped = child
    await timed('agent wrap mcp -- mcp-server-everything', () => saying(child, /for sale/))
    const words = 'Get the sum of two numbers: a 17 and b 25'
    const out = await timed('hire', () => ending(begin(['hire', words, '--yes', '--max', '1', '--json'])))
    const { state, deliverable, paid } = hired.parse(JSON.parse(out.trimEnd().split('\n').at(-1) ?? ''))
    const seconds = Math.round(steps.reduce((sum, it) => sum + it.seconds, 0) * 10) / 10
    return { steps, seconds, state, deliverable, paid }
  } finally {
    wrapped?.kill('SIGTERM')
    await service.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

const ending = async (child: ReturnType<typeof spawn>): Promise<string> => {
  const [out] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')])
  if (child.exitCode !== 0) throw new Error(`A command ended with ${child.exitCode}: ${out}`)
  return out
}

const saying = async (child: ReturnType<typeof spawn>, words: RegExp): Promise<void> => {
  if (child.stdout) for await (const line of createInterface(child.stdout)) if (words.test(line)) return
  throw new Error('The agent ended.')
}

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { hex } from '../domain/hex.ts'
import type { DemoHandle } from '../domain/localAgents.ts'
import { demoAgents } from '../kit/demo/agents.ts'
import type { RunningAgent } from '../kit/kit.ts'

type RunOptions = { name: DemoHandle; platformUrl: string; keysDir: string; port: number; log(line: string): void }

/** Runs a demo agent with its own key. The key is stored in a file, so that the agent is the same next time. */
export const runAgent = async ({ name, platformUrl, keysDir, port, log }: RunOptions) => {
  const privateKey = await readKey(keysDir, name)
  return demoAgents[name]({ platformUrl, credential: { privateKey }, port, log }).start()
}

/**
 * Runs several demo agents in this process. A failed start is logged, and the other agents still run.
 * @param options.port of the first agent; the others use free ports
 */
export const runAgents = async ({
  names,
  port,
  log,
  ...options
}: Omit<RunOptions, 'name'> & { names: readonly DemoHandle[] }) => {
  const begin = (name: DemoHandle, at: number) =>
    runAgent({ ...options, log, name, port: at === 0 ? port : 0 }).catch((error: Error): undefined => {
      log(`${name}: ${error.message}`)
      process.exitCode = 1
    })
  const [first, ...others] = names
  // The first agent starts before the others, because the demo uses only that one.
  const started =
    first === undefined ? [] : [await begin(first, 0), ...(await Promise.all(others.map((it, at) => begin(it, at + 1))))]
  const running = started.filter((it): it is RunningAgent => it !== undefined)
  return { stop: async () => void (await Promise.all(running.map(it => it.stop()))) }
}

const readKey = async (dir: string, name: string) => {
  const file = join(dir, `${name}.key`)
  const found = hex.safeParse((await readFile(file, 'utf8').catch(() => '')).trim())
  if (found.success && found.data.length === 66) return found.data
  const fresh = generatePrivateKey()
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await writeFile(file, `${fresh}\n`, { mode: 0o600 })
  return fresh
}

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generatePrivateKey } from 'viem/accounts'
import { type DemoHandle, demoHandles } from '../../../src/domain/agents/localAgents.ts'
import { hex } from '../../../src/domain/hex.ts'
import type { RunningAgent } from '../../../src/kit/kit.ts'
import { untilOrphaned, untilStopped } from '../../../src/process/untilStopped.ts'
import { demoAgents } from './agents.ts'

// Runs demo agents: node docs/examples/agents/main.ts city-clock --platform http://127.0.0.1:8001 [--keys DIR]

type RunOptions = { platformUrl: string; keysDir: string }

/** Runs a demo agent with its own key. The key is stored in a file, so that the agent is the same next time. */
const runAgent = async (name: DemoHandle, { platformUrl, keysDir }: RunOptions) => {
  const privateKey = await readKey(keysDir, name)
  return demoAgents[name]({ platformUrl, credential: { privateKey }, log: line => console.error(line) }).start()
}

/** A failed start is logged, and the other agents still run. */
const runAgents = async (names: readonly DemoHandle[], options: RunOptions) => {
  const begin = (name: DemoHandle) =>
    runAgent(name, options).catch((error: Error): undefined => {
      console.error(`${name}: ${error.message}`)
      process.exitCode = 1
    })
  const [first, ...others] = names
  // The first agent starts before the others, because the demo uses only that one.
  const started = first === undefined ? [] : [await begin(first), ...(await Promise.all(others.map(begin)))]
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

const isDemoHandle = (name: string): name is DemoHandle => demoHandles.some(it => it === name)

// Key files are readable by their owner only.
process.umask(0o077)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { platform: { type: 'string' }, keys: { type: 'string', default: './data/agents' } },
})
const unknown = positionals.find(it => !isDemoHandle(it))
if (unknown !== undefined || !values.platform) {
  console.error(`usage: main.ts NAME … --platform URL [--keys DIR]; the names are ${demoHandles.join(', ')}`)
  process.exit(2)
}
const ended = Promise.race([untilStopped(), untilOrphaned()])
const starting = runAgents(positionals.filter(isDemoHandle), { platformUrl: values.platform, keysDir: values.keys })
// The parent process may exit while an agent is still registering.
const running = await Promise.race([starting, ended])
await ended
await running?.stop()
process.exit(0)

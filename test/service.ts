import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { generatePrivateKey } from 'viem/accounts'
import { z } from 'zod'
import { cityClock } from '../docs/examples/agents/cityClock.ts'
import { type Client, createClient } from '../src/cli/client.ts'
import { openSession } from '../src/cli/session.ts'
import { type Config, readConfig } from '../src/config.ts'
import { type AgentOptions, createAgent, type RunningAgent } from '../src/kit/kit.ts'
import type { Clock, Wakeups } from '../src/ports.ts'
import { type Service, startService } from '../src/service.ts'
import { readerDir } from './reader.ts'

/** A complete service with real parts, on a free port and in a folder of its own. */
export type TestService = {
  /** The running service; another one after `restart`. */
  readonly service: Service
  url: string
  dir: string
  /** A user with a wallet, a token and test USDC; the same name returns the same user. */
  user(name: string): Promise<User>
  /** The same user with another token, as in a browser beside a program. */
  browserOf(name: string): Promise<User>
  /** Starts an agent of a provider in this process, connected over HTTP; it is stopped with the service. */
  agent(options: Pick<AgentOptions, 'handle' | 'offerings' | 'handler'> & Partial<AgentOptions>): Promise<RunningAgent>
  /** Starts the city clock of the examples, which tells the time; it is stopped with the service. */
  cityClock(): Promise<RunningAgent>
  /** Stops the service and starts another one on the same address and folder. */
  restart(more?: Partial<Config>): Promise<void>
  stop(): Promise<void>
}

import { copySchema } from './store/template.ts'

export type User = { client: Client; token: string; wallet: string; proxy: string }

type Given = Omit<Parameters<typeof startService>[0], 'config'> & { env?: Record<string, string> }

export const startTestService = async ({ env = {}, ...given }: Given = {}): Promise<TestService> => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-test-'))
  await copySchema(join(dir, 'market.db'))
  const start = (port: string, more: Partial<Config> = {}) =>
    startService({
      config: { ...readConfig({ PORT: port, DATA_DIR: dir, LOG_LEVEL: 'error', ...env }), readerDir, ...more },
      ...given,
    })
  let service = await start('0')
  const { url } = service
  const agents: RunningAgent[] = []
  const keep = (it: RunningAgent) => {
    agents.push(it)
    return it
  }
  return {
    get service() {
      return service
    },
    url,
    dir,
    user: name => openUser(url, join(dir, `${name}.json`)),
    async browserOf(name) {
      const { privateKey } = z
        .object({ privateKey: z.string() })
        .parse(JSON.parse(await readFile(join(dir, `${name}.json`), 'utf8')))
      const file = join(dir, `browser of ${name}.json`)
      await writeFile(file, JSON.stringify({ privateKey }))
      return openUser(url, file)
    },
    agent: async options => keep(await createAgent({ ...toDefaults(options.handle, url), ...options }).start()),
    cityClock: async () => keep(await cityClock(toConnection(url)).start()),
    async restart(more) {
      await service.stop()
      service = await start(new URL(url).port, more)
    },
    async stop() {
      await Promise.all(agents.map(it => it.stop()))
      await service.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const toDefaults = (handle: string, platformUrl: string) => ({
  name: handle,
  description: handle,
  skills: [],
  ...toConnection(platformUrl),
})

const toConnection = (platformUrl: string) => ({
  platformUrl,
  credential: { privateKey: generatePrivateKey() },
  pollPauseMs: 20,
  log: () => undefined,
})

export const openUser = async (url: string, file: string): Promise<User> => {
  const { token, wallet } = await openSession({ url, file })
  const client = createClient({ url, token })
  const { ethereum } = z.object({ ethereum: z.string() }).parse(await client.get('/v1/wallets/me'))
  return { client, token, wallet: wallet ?? '', proxy: ethereum }
}

/** The machine's clock with an offset that can be increased. */
export const createTestClock = () => {
  let aheadMs = 0
  const clock: Clock = { now: () => Date.now() + aheadMs }
  return {
    ...clock,
    /** Advances the time by `ms` and wakes the workers to check their deadlines. */
    advance(ms: number, { notify }: Pick<Wakeups, 'notify'>) {
      aheadMs += ms
      for (const channel of ['leases', 'deadlines']) notify(channel)
    },
  }
}

/**
 * Reads until the result is truthy.
 * @throws Error after 30 s, with `what` in the message
 */
export const until = async <T>(what: string, read: () => Promise<T | undefined | false>): Promise<T> => {
  const endsAt = performance.now() + 30_000
  while (performance.now() < endsAt) {
    const found = await read()
    if (found !== undefined && found !== false) return found
    await setTimeout(15)
  }
  throw new Error(`Waited in vain for ${what}.`)
}

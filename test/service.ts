import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { type AgentOptions, createAgent, type RunningAgent } from '../src/agent/kit.ts'
import { type Client, createClient } from '../src/cli/client.ts'
import { openSession } from '../src/cli/session.ts'
import { readConfig } from '../src/config.ts'
import { type Service, startService } from '../src/service.ts'

/** A whole service on a free port in a folder of its own, with real parts. */
export type TestService = {
  service: Service
  url: string
  dir: string
  /** A new user with a wallet, a token and test USDC. */
  user(name: string): Promise<{ client: Client; token: string; wallet: string }>
  /** A provider's agent in this process, speaking HTTP; ended with the service. */
  agent(options: Pick<AgentOptions, 'handle' | 'offerings' | 'handler'> & Partial<AgentOptions>): Promise<RunningAgent>
  stop(): Promise<void>
}

type Given = Omit<Parameters<typeof startService>[0], 'config'> & { env?: Record<string, string> }

export const startTestService = async ({ env = {}, ...given }: Given = {}): Promise<TestService> => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-test-'))
  const config = readConfig({ PORT: '0', DATA_DIR: dir, LOG_LEVEL: 'error', ...env })
  const service = await startService({ config, ...given })
  const { url } = service
  const agents: RunningAgent[] = []
  return {
    service,
    url,
    dir,
    async user(name) {
      const { token, wallet } = await openSession({ url, file: join(dir, `${name}.json`) })
      return { client: createClient({ url, token }), token, wallet: wallet ?? '' }
    },
    async agent(options) {
      const credential = { privateKey: generatePrivateKey() }
      const defaults = {
        name: options.handle,
        description: options.handle,
        skills: [],
        platformUrl: url,
        credential,
        pollPauseMs: 100,
        log: () => undefined,
      }
      const running = await createAgent({ ...defaults, ...options }).start()
      agents.push(running)
      return running
    },
    async stop() {
      await Promise.all(agents.map(it => it.stop()))
      await service.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

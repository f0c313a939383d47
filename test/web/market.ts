import { generatePrivateKey } from 'viem/accounts'
import { demoAgents } from '../../docs/examples/agents/agents.ts'
import type { DemoHandle } from '../../src/domain/agents/localAgents.ts'
import { startTestService, type TestService } from '../service.ts'

type Given = Parameters<typeof startTestService>[0]

/** Starts a market with some demo agents in this process. */
export const openMarket = async (
  given: Given = {},
  handles: readonly DemoHandle[] = ['city-clock', 'text-digest'],
): Promise<TestService> => {
  const market = await startTestService(given)
  const options = () => ({
    platformUrl: market.url,
    credential: { privateKey: generatePrivateKey() },
    pollPauseMs: 20,
    log: () => undefined,
  })
  const agents = await Promise.all(handles.map(it => demoAgents[it](options()).start()))
  return {
    ...market,
    get service() {
      return market.service
    },
    async stop() {
      await Promise.all(agents.map(it => it.stop()))
      await market.stop()
    },
  }
}

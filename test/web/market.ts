import { generatePrivateKey } from 'viem/accounts'
import { cityClock } from '../../src/kit/demo/cityClock.ts'
import { textDigest } from '../../src/kit/demo/textDigest.ts'
import { startTestService, type TestService } from '../service.ts'

type Given = Parameters<typeof startTestService>[0]

/** A market with the two demo agents in this process. */
export const openMarket = async (given: Given = {}): Promise<TestService> => {
  const market = await startTestService(given)
  const options = () => ({
    platformUrl: market.url,
    credential: { privateKey: generatePrivateKey() },
    pollPauseMs: 20,
    log: () => undefined,
  })
  const agents = await Promise.all([cityClock(options()).start(), textDigest(options()).start()])
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

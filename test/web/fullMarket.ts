import { startTestService, type TestService } from '../service.ts'
import { fillMarket, offeringsOfAgent } from '../store/manyRows.ts'
import type { OpenStore } from '../store/stores.ts'

const isOpen = (store: object): store is OpenStore => 'db' in store

/** A market with that many offerings, which were written as rows: nobody answers for them, and the search does not know them. */
export const openFullMarket = async (offerings: number): Promise<TestService> => {
  const market = await startTestService()
  const { store } = market.service.world.deps
  if (!isOpen(store)) throw new Error('The store of the service cannot be filled.')
  await fillMarket(store, { agents: offerings / offeringsOfAgent, jobs: 10 })
  return market
}

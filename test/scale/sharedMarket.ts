import type { Clock } from '../../src/ports.ts'
import { openSharedChain } from '../faults/processes/sharedChain.ts'
import { startTestService, type TestService } from '../service.ts'
import { newDatabase } from '../store/server.ts'

/**
 * Starts several services on one PostgreSQL database and one node of chain 97.
 * @param clock the clock of the services; default: the machine's
 */
export const openSharedMarket = async (count: number, clock?: Clock) => {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (let next = closers.pop(); next; next = closers.pop()) await next()
  }
  try {
    const database = await newDatabase()
    closers.push(database.remove)
    const { env, mint, stop } = await openSharedChain(database.place.url)
    closers.push(stop)
    const services: TestService[] = []
    for (let at = 0; at < count; at += 1) {
      const service = await startTestService({ env, ...(clock && { clock }) })
      closers.push(service.stop)
      services.push(service)
    }
    return { services, mint, databaseUrl: database.place.url, close }
  } catch (error) {
    await close()
    throw error
  }
}

export type SharedMarket = Awaited<ReturnType<typeof openSharedMarket>>

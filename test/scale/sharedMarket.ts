import type { Clock } from '../../src/ports.ts'
import { openWithClosers } from '../closers.ts'
import { openSharedChain } from '../faults/processes/sharedChain.ts'
import { startTestService, type TestService } from '../service.ts'
import { newDatabase } from '../store/server.ts'

/**
 * Starts several services on one PostgreSQL database and one node of chain 97.
 * @param clock the clock of the services; default: the machine's
 */
export const openSharedMarket = (count: number, clock?: Clock) =>
  openWithClosers(async whenClosing => {
    const database = await newDatabase()
    whenClosing(database.remove)
    const { env, mint, stop } = await openSharedChain(database.place.url)
    whenClosing(stop)
    const services: TestService[] = []
    for (let at = 0; at < count; at += 1) {
      const service = await startTestService({ env, ...(clock && { clock }) })
      whenClosing(service.stop)
      services.push(service)
    }
    return { services, mint, databaseUrl: database.place.url }
  })

export type SharedMarket = Awaited<ReturnType<typeof openSharedMarket>>

import { afterAll, expect, test, vi } from 'vitest'
import type { Wakeups } from '../../src/ports.ts'
import { ask, plain, rested, talk } from '../hire/market.ts'
import { openUser, until } from '../service.ts'
import { server } from '../store/server.ts'
import { openSharedMarket, type SharedMarket } from './sharedMarket.ts'

const longMs = 600_000
/** Slow polls last minutes, and so does the time between two reads of a chain's events. Pauses have no channel. */
const toTimeout = (channel: string, ms: number) => (channel === 'blocks' || (channel !== '' && ms >= 500) ? longMs : ms)

vi.mock('../../src/process/wakeups.ts', async importOriginal => {
  const { createWakeups } = await importOriginal<typeof import('../../src/process/wakeups.ts')>()
  return {
    createWakeups: (): Wakeups => {
      const wakeups = createWakeups()
      return { ...wakeups, wait: (channel, ms, signal) => wakeups.wait(channel, toTimeout(channel, ms), signal) }
    },
  }
})

let market: SharedMarket
afterAll(() => market?.close())

test.skipIf(!server)(
  'a hire whose steps are at two processes is woken at each step, also when neither polls for minutes',
  async () => {
    market = await openSharedMarket(2)
    const [one, two] = market.services
    if (!one || !two) throw new Error('two services did not start')
    for (const [at, agentAt, handle] of [
      [one, two, 'poet-of-two'],
      [two, one, 'poet-of-one'],
    ] as const) {
      const agent = await agentAt.agent({ handle, offerings: [plain('0.5')], handler: async () => 'An old silent pond' })
      const user = await at.user(`user-of-${handle}`)
      await market.mint(user.proxy)
      const chat = talk(user)
      await until(`${handle} to be found`, async () =>
        JSON.stringify((await ask(at, '/offerings/search?query=haiku')).body).includes(handle),
      )
      await chat.say(`Hire agent ${handle} to write a haiku`)
      const there = await openUser(agentAt.url, `${at.dir}/user-of-${handle}.json`)
      const { run_id: runId } = await talk(there, chat.conversationId).say('yes', 0)
      expect((await rested(there, runId)).job?.state).toBe('settled')
      await agent.stop()
    }
  },
  240_000,
)

import { z } from 'zod'
import { startTestService, type User } from '../../service.ts'
import type { Tool } from './rows.ts'

/** A market with one agent, whose offerings are the tools of the request that is asked next. */
export type Market = {
  /** Replaces the offerings of the market. */
  offer(tools: readonly Tool[]): Promise<void>
  /** Sends one message in a conversation of its own, and returns the answer to it. */
  ask(message: string): Promise<unknown>
  /** The log of a run. */
  events(runId: string): Promise<unknown>
  close(): Promise<void>
}

const toOffering = ({ name, description, parameters }: Tool, at: number) => ({
  ...{ id: `tool-${at}`, name, description: description || name, requirement: parameters, deliverable: null, sla_minutes: 5 },
  price_v2: { type: 'fixed', amount: '0.01', currency: 'USDC' },
})

const about = { name: 'Toolbox', description: 'The tools of one request' }
const card = { ...about, skills: [] }
const registered = z.object({ agent_id: z.string() })

/** Requests of one user: fewer than the runs that may be open at once. */
const asksOfOne = 50

/** Starts a service of its own, without other agents. */
export const openMarket = async (): Promise<Market> => {
  const service = await startTestService({ env: { LOCAL_AGENTS: '', RATE_LIMIT: '0' } })
  const owner = await service.user('owner')
  const openAsker = async (name: string): Promise<User> => {
    const user = await service.user(name)
    // Learning is off, because one request would make the next one easier.
    await user.client.post('/v1/learning', { enabled: false })
    return user
  }
  let asked = 0
  let asker = openAsker('user-0')
  return {
    async offer(tools) {
      const of = { ...about, handle: 'toolbox', chain_id: 97, via_gateway: true, card, job_offerings: tools.map(toOffering) }
      registered.parse(await owner.client.post('/agents/register', of))
    },
    async ask(message) {
      // Open questions and proposals stay open, and their number is bounded for each user.
      if (asked > 0 && asked % asksOfOne === 0) asker = openAsker(`user-${asked}`)
      asked += 1
      return (await asker).client.post('/invoke', { message, context: { conversation_id: crypto.randomUUID() } })
    },
    events: async runId => (await asker).client.get(`/runs/${runId}/events`),
    close: service.stop,
  }
}

import { z } from 'zod'
import { type createTestClock, type TestService, type User, until } from '../service.ts'

const asked = z.object({ run_id: z.string(), proposal: z.object({ digest: z.string() }) })
const leased = z.object({ job_id: z.string() })
const dayMs = 86_400_000

/** The hires of each of the last days: the number of poems, and the other tasks. */
const days: { poems: number; others: string[] }[] = [
  { poems: 1, others: ['Hire translator for the "Translate a text" service, task: a letter into German'] },
  {
    poems: 3,
    others: [
      'Hire chain-watch for the "Explain a transaction" service, task: the last one on BSC',
      'Hire translator for the "Translate a text" service, task: a letter into French',
    ],
  },
  { poems: 0, others: ['What time is it in Oslo?'] },
  {
    poems: 2,
    others: ['Hire chain-watch for the "Explain a transaction" service, task: the last one on Base', 'What time is it in Lima?'],
  },
  { poems: 4, others: ['Hire translator for the "Translate a text" service, task: a letter into Greek'] },
]

const state = z.object({ state: z.string() })

/** Hires and returns the id of the run at once. */
const hire = async ({ client }: User, task: string): Promise<string> => {
  const answer = await client.post('/v1/hires', { task })
  const { run_id, proposal } = asked.parse(answer, { error: () => JSON.stringify(answer) })
  await client.post(`/v1/hires/${run_id}/confirm`, { digest: proposal.digest, decision: 'yes', wait_ms: 0 })
  return run_id
}

/** Creates days of completed hires, so that the market looks used. */
export const liveThrough = async (
  market: TestService,
  clock: ReturnType<typeof createTestClock>,
  poet: string,
): Promise<void> => {
  const buyers = await Promise.all(['ada', 'bob', 'cleo'].map(name => market.user(name)))
  for (const [day, { poems, others }] of days.entries()) {
    const buyer = buyers[day % buyers.length]
    if (!buyer) return
    const runs: string[] = []
    for (const task of others) runs.push(await hire(buyer, task))
    for (let n = 0; n < poems; n += 1) {
      runs.push(await hire(buyer, 'Write a haiku. text: an old pond'))
      const path = `/gateway/jobs/poll?${new URLSearchParams({ agent: poet, timeout: '20' })}`
      const job = leased.parse(await buyer.client.get(path))
      await buyer.client.post('/gateway/jobs/complete', { ...job, status: 'completed', result: { response: 'A frog jumps in' } })
    }
    // All runs of a day must end before the clock advances, or their holds would expire.
    const isOver = async (id: string) => state.parse(await buyer.client.get(`/runs/${id}`)).state === 'completed'
    for (const id of runs) await until('the end of a hire', () => isOver(id))
    clock.advance(dayMs, market.service.world.deps.wakeups)
  }
}

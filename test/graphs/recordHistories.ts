import { writeFile } from 'node:fs/promises'
import { history } from '../../src/domain/runs/history.ts'
import { command } from '../command.ts'
import { asksForPoem, provider, rested, talk } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'

// `npm run histories` hires through a real service and stores the exported histories. Run it after an intended change of what
// the butler decides, and read how the files have changed.

const folder = new URL('./histories/', import.meta.url)
const topic = { type: 'object', required: ['topic'], properties: { topic: { type: 'string', description: 'The topic' } } }
const poem = { id: 'poem', name: 'Write a poem', description: 'Writes a poem about a topic.', price: '0.02', slaMinutes: 5 }

type Seller = Awaited<ReturnType<typeof provider>>

/** Hires the poet, which delivers these texts one after the other, and returns the id of the run at its end. */
const hire = async (user: User, poet: Seller, deliveries: string[]): Promise<string> => {
  const { say } = talk(user)
  const { data } = await say('Hire agent poet to write a poem')
  await say('the sea')
  await say('yes', 0)
  for (const it of deliveries) await poet.deliver((await poet.take()).job_id, it)
  const { state, job } = await rested(user, data.run_id)
  process.stdout.write(`${data.run_id}: ${state}, ${job?.state}\n`)
  return data.run_id
}

const store = async ({ client }: User, runId: string, name: string): Promise<void> => {
  const it = history.parse(await client.get(`/runs/${runId}/history`))
  await writeFile(new URL(name, folder), `${JSON.stringify(it, null, 1)}\n`)
}

const record = async (market: TestService): Promise<void> => {
  const user = await market.user('hirer')
  const poet = await provider(market, { ...poem, requirement: topic, deliverable: asksForPoem }, 'poet')
  await store(user, await hire(user, poet, ['{"verse": "Waves"}', '{"poem": "Waves, and waves again."}']), 'settled.json')
  await store(user, await hire(user, poet, ['{}', '{"verse": "1"}', '{"verse": "2"}']), 'refunded.json')
}

command('histories', 'Records the stored histories of hires anew.').parse()
const market = await startTestService()
try {
  await record(market)
} finally {
  await market.stop()
}

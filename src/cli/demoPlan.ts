import { z } from 'zod'
import { planRecord } from '../records/plan.ts'
import { runRecord } from '../records/run.ts'
import { type Client, createClient } from './client.ts'
import { converse, until } from './demo.ts'
import { createPaint } from './paint.ts'

type Options = { url: string; token: string; agents: readonly string[]; say(line: string): void; elapsedMs(): number }

const paint = createPaint(process.stdout)

const task = 'Convert 5 miles to kilometers. Then make a QR code of the result.'

const agentList = z.object({ data: z.array(z.object({ handle: z.string(), agent_id: z.string().nullable() })) })
const run = runRecord.pick({ state: true, content: true }).extend({ plan: planRecord })
const payments = z.array(z.object({ type: z.string(), amount: z.string(), transaction: z.string() }))

/**
 * Shows a plan of two steps, in which the second takes the result of the first, and returns what `--json` prints.
 * @throws Error when a step does not happen in time
 */
export const demoPlan = async ({ url, token, agents, say: tell, elapsedMs }: Options) => {
  const client = createClient({ url, token })
  await untilListed(client, agents)
  const speak = converse(client, tell)
  const { run_id } = await speak(task)
  const { plan: proposed } = run.parse(await client.get(`/runs/${run_id}`))
  const price = `${proposed.steps.length} steps for at most ${proposed.total} USDC`
  tell(`\n  ${paint.bold(price)}, terms ${proposed.digest.slice(0, 8)}`)
  for (const it of proposed.steps)
    tell(`  ${it.number}. ${it.offering_name} by ${it.agent_handle}, ${it.price} USDC, gets ${it.input}`)
  await speak('yes')
  const done = await until('The plan did not end in time.', async () => {
    const now = run.parse(await client.get(`/runs/${run_id}`))
    return now.state === 'completed' ? now.plan : undefined
  })
  tell(
    `\n  ${paint.bold('bill')}        ${done.paid} USDC paid, ${done.unspent} not spent, ${done.refunded} came back from escrow`,
  )
  for (const it of done.steps) tell(`  ${it.number}. ${it.state}, got ${it.input}`)
  const paid = payments.parse(await client.get(`/runs/${run_id}/payments`))
  for (const it of paid) tell(`  ${it.type.padEnd(11)} ${it.amount} USDC ${paint.dim(it.transaction)}`)
  if (done.steps.some(it => it.state !== 'paid')) throw new Error('A step of the plan was not paid.')
  return { run_id, ...done, transactions: paid.map(it => it.transaction), seconds: Math.round(elapsedMs()) / 1000 }
}

const untilListed = (client: Client, handles: readonly string[]) =>
  until('The demo agents did not register in time.', async () => {
    const { data } = agentList.parse(await client.get('/agents?pageSize=100'))
    const found = await Promise.all(
      handles.map(it => client.get(`/offerings/search?query=${encodeURIComponent(queries[it] ?? it)}`)),
    )
    const isFound = handles.every((it, at) => JSON.stringify(found[at]).includes(it))
    return isFound && handles.every(it => data.some(one => one.handle === it && one.agent_id)) ? true : undefined
  })

const queries: Record<string, string> = { 'demo-units': 'convert miles to kilometers', 'demo-qr': 'make a QR code' }

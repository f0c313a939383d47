import { randomUUID } from 'node:crypto'
import { appendFile, stat, writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { parseJson } from '../../domain/json.ts'
import type { Buyer } from '../../kit/wrap/x402.ts'
import { purchaseRecord } from '../../records/purchase.ts'
import type { Client } from '../client.ts'
import { type Context, type Done, type Host, onChain, runs, withChain } from './command.ts'

/** What the commands read of a purchase. A newer service may have more states. */
const purchase = purchaseRecord
  .omit({ currency: true, asset: true, outside: true, lapses_at: true, mandate_id: true, content_type: true })
  .extend({
    state: z.string(),
    method: z.string(),
    scheme: z.string(),
    transfer_method: z.string(),
    ending: z.string().nullable(),
  })
  .catchall(z.json())
type Purchase = z.infer<typeof purchase>

type PayOptions = { data?: string; max?: string; yes?: boolean; chain?: number }

const pollMs = 500

export const addPayCommand = (program: Command, host: Host): void => {
  const payCommand = program
    .command('pay')
    .argument('<url>', 'address of an x402 resource')
    .option('--data <json>', 'send this JSON as the body of a POST; a GET without it')
    .option('--max <usdc>', 'the most that it may cost, in USDC')
    .option('--yes', 'pay without asking, up to --max')
    .description('pay an x402 resource from your custodial wallet after your yes, and show its answer')
  runs(withChain(payCommand), host, { example: 'market pay https://api.example.com/weather --max 0.05', run: pay })
  const answerCommand = program
    .command('answer')
    .argument('<purchase>', 'id of the purchase')
    .argument('<file>', 'file that gets the bytes')
    .description('save what a paid resource answered, up to 8 MiB and within 7 days')
  runs(answerCommand, host, { example: 'market answer run_3f2a picture.png', run: saveAnswer })
}

const pay = async (context: Context, options: PayOptions, url: string): Promise<Done> => {
  const { client, say } = context
  const { yes, max, data } = options
  if (yes && max === undefined) throw new Error('--yes needs --max, the most USDC that it may pay.')
  const body = data === undefined ? undefined : parseJson(data)
  if (data !== undefined && body === undefined) throw new Error('--data must be JSON.')
  // The idempotency key makes a repeated request the same purchase, so a request after a lost answer does not pay again.
  const proposed = await propose(client, randomUUID(), {
    url,
    ...(body !== undefined && { body }),
    ...(max !== undefined && { max }),
    ...onChain(options),
  })
  if (proposed.state === 'free') return shown(context, proposed)
  for (const line of describe(proposed)) say(line)
  // A purchase within a mandate is already paid here.
  if (proposed.state !== 'proposed') return shown(context, await ended(client, proposed, { say }))
  const agreed = yes ? true : await context.confirm(`Pay ${toSum(proposed)} USDC?`)
  if (agreed === undefined) throw new Error('Nothing was paid. Say yes with --yes --max <USDC>, or run this in a terminal.')
  const decision = agreed ? 'yes' : 'no'
  const confirmed = await confirm(client, proposed, { decision, wait_ms: 0 })
  return shown(context, await ended(client, confirmed, { say }))
}

const answerPart = z.object({ parts: z.number(), base64: z.string() })

/** Saves the bytes of a seller's answer, part by part. */
const saveAnswer = async ({ client, say }: Context, _options: object, ...[id, file]: [string, string]): Promise<Done> => {
  const path = `/v1/purchases/${encodeURIComponent(id)}/answer`
  const read = async (part: number) => answerPart.parse(await client.get(`${path}?part=${part}`))
  const first = await read(0)
  await writeFile(file, Buffer.from(first.base64, 'base64'))
  for (let part = 1; part < first.parts; part += 1) await appendFile(file, Buffer.from((await read(part)).base64, 'base64'))
  const { size } = await stat(file)
  say(`${file} has ${size} bytes.`)
  return { result: { purchase_id: id, file, bytes: size } }
}

const propose = async (client: Client, key: string, asked: Record<string, unknown>): Promise<Purchase> =>
  purchase.parse(await client.post('/v1/purchases', asked, { 'idempotency-key': key }))

type Answer = { decision: 'yes' | 'no'; wait_ms?: number }

const confirm = async (client: Client, { purchase_id, digest }: Purchase, answer: Answer): Promise<Purchase> =>
  purchase.parse(await client.post(`/v1/purchases/${purchase_id}/confirm`, { digest, ...answer }))

/** Buys paid resources for the jobs of an agent, from the custodial wallet of its owner. One key is one purchase. */
export const createBuyer = (client: Client): Buyer => ({
  async quote(request) {
    const found = await propose(client, randomUUID(), { ...request, price_only: true })
    if (found.state === 'proposed') await confirm(client, found, { decision: 'no' })
    return { price: found.price, description: found.description }
  },
  async buy(request, { key, max, signal }) {
    const proposed = await propose(client, key, { ...request, max })
    const agreed = proposed.state === 'proposed' ? await confirm(client, proposed, { decision: 'yes' }) : proposed
    const { parts, ...bought } = await ended(client, agreed, { signal })
    return { ...bought, isWhole: parts === 0 }
  },
})

/** The price in words. In the scheme `upto` the seller says after its work how much of it is due. */
const toSum = ({ price, scheme }: Purchase): string => (scheme === 'upto' ? `up to ${price}` : price)

const describe = (it: Purchase): string[] => [
  `${it.method} ${it.url}`,
  ...(it.description ? [`  the seller says  ${it.description}`] : []),
  `  price            ${toSum(it)} USDC on ${it.network}`,
  `  to               ${it.payee}`,
  `  from             ${it.payer}, your custodial wallet`,
  ...(it.transfer_method === 'permit2'
    ? [`  first            your wallet approves Permit2 for ${it.price} USDC, without cost`]
    : []),
  '  answer           up to 8 MiB within a minute',
]

type Following = { say?: Context['say']; signal?: AbortSignal | undefined }

const ended = async (client: Client, of: Purchase, { say, signal }: Following): Promise<Purchase> => {
  let told = ''
  for (let it = of; ; it = purchase.parse(await client.get(`/v1/purchases/${of.purchase_id}`))) {
    // Ends once the seller has answered, even before the payment is final: the service follows the payment.
    if (it.state !== 'paying' || it.status !== null) return it
    if (it.reason !== told) say?.(it.reason)
    told = it.reason
    await setTimeout(pollMs, undefined, { signal })
  }
}

const shown = ({ say, dim }: Context, it: Purchase): Done => {
  const { state, price, paid, scheme, status, content, reason, transaction } = it
  if (content) say(content)
  if (reason) say(reason)
  if (state === 'paid')
    say(
      dim(
        `Paid ${paid ?? price}${scheme === 'upto' ? ` of at most ${price}` : ''} USDC${transaction ? ` in ${transaction}` : ''}.`,
      ),
    )
  if (state === 'declined') say('Nothing was paid.')
  const isGood = status !== null && status >= 200 && status < 300
  return { result: it, failed: !isGood || (state === 'unpaid' && scheme !== 'upto') }
}

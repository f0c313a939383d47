import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { paidCallsOf } from '../../src/features/x402Selling/ports.ts'
import type { Chain } from '../../src/ports.ts'
import { createBuyer } from '../features/x402Selling/buyer.ts'
import { plain, provider } from '../hire/market.ts'
import { get, post } from '../http/wire.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { crowd, percentile, round } from './measures.ts'

type Options = { calls: number; say(line: string): void }

const price = '0.001'
const priceAtomic = 1_000n
/** The number of sequential calls for the medians. */
const oneByOne = 30

const settled = z.object({ state: z.string(), payment_id: z.string() })

/**
 * Paid calls by a standard x402 client, sequential and concurrent, compared with the same call of a free agent. Every second
 * concurrent payment is sent twice, like after a lost answer.
 */
export const benchX402 = async ({ calls, say }: Options) => {
  const market = await startTestService()
  try {
    const { paidPath, freePath, stop } = await serve(market)
    const buyer = await createBuyer(market, 'buyer')
    const chain = market.service.world.deps.chains.get(97)
    if (!chain) throw new Error('the embedded chain is not served')
    const pay = payer(buyer.account, chain)
    const options = { method: 'POST', headers: { 'content-type': 'application/json' } }

    const unpaid = await times(() => fetch(freePath, { ...options, body: '{"message":"write"}' }))
    const paid = await times(() => pay(fetch)(paidPath, { ...options, body: '{"message":"write"}' }))
    say(`one at a time: p50 ${round(percentile(paid, 0.5))} ms paid, ${round(percentile(unpaid, 0.5))} ms unpaid`)

    const before = await chain.usdcBalance(buyer.account.address)
    const [waits, ids]: [number[], string[]] = [[], []]
    await crowd({ count: calls, atOnce: calls }, async at => {
      const began = performance.now()
      let sent: Request | undefined
      const tapped: typeof fetch = (input, init) => {
        sent = new Request(input, init)
        return fetch(sent.clone())
      }
      const response = await pay(tapped)(paidPath, { ...options, body: `{"message":"write ${at}"}` })
      waits.push(performance.now() - began)
      ids.push((await readId(response)) ?? '')
      if (at % 2 === 0 && sent) await fetch(sent)
    })
    stop()
    await until('every settlement', async () => (await countOpen(market, ids)) === 0)
    const spent = before - (await chain.usdcBalance(buyer.account.address))
    const done = new Set(ids.filter(it => it !== '')).size
    const charged = Number(spent / priceAtomic)
    return {
      calls,
      settled: done,
      p50_over_unpaid_ms: round(percentile(paid, 0.5) - percentile(unpaid, 0.5)),
      p50_at_once_ms: round(percentile(waits, 0.5)),
      double_charged: Math.max(0, charged - done),
      lost: calls - Math.min(done, charged),
    }
  } finally {
    await market.stop()
  }
}

const answered = z.object({ state: z.literal('settled'), payment_id: z.string() })
/** The number of concurrent buyers whose answers are dropped. */
const droppedAtOnce = 16
/** An answer is dropped at any time up to this one, in ms. */
const longestMs = 400
/** After this many answers that are not the end, a call counts as lost. */
const maxTries = 200

/**
 * Paid calls whose buyer closes the connection at a random time, up to three times each. Then the same request with the same
 * payment is sent until it is answered with the work.
 */
export const benchDropped = async ({ calls, say }: Options) => {
  const market = await startTestService()
  try {
    const { paidPath, worked, stop } = await serve(market)
    const buyer = await createBuyer(market, 'buyer')
    const chain = market.service.world.deps.chains.get(97)
    if (!chain) throw new Error('the embedded chain is not served')
    const before = await chain.usdcBalance(buyer.account.address)
    const ids = new Set<string>()
    const count = { drops: 0, lost: 0 }
    const dropping: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      if (!request.headers.has('payment-signature')) return fetch(request)
      for (let left = 1 + Math.floor(Math.random() * 3); left > 0; left -= 1) {
        const signal = AbortSignal.timeout(Math.ceil(Math.random() * longestMs))
        const text = await fetch(request.clone(), { signal })
          .then(it => it.text())
          .catch(() => undefined)
        // An answer that came in time is dropped, too: the buyer goes on as if it had none.
        if (text === undefined) count.drops += 1
      }
      return untilSettled(request)
    }
    await crowd({ count: calls, atOnce: droppedAtOnce }, async at => {
      const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: `{"message":"write ${at}"}` }
      const response = await payer(buyer.account, chain)(dropping)(paidPath, sent)
      const { data } = answered.safeParse(await response.json())
      if (data) ids.add(data.payment_id)
      else count.lost += 1
      if (at % 100 === 99) say(`${at + 1} calls, ${count.drops} connections closed before the answer`)
    })
    stop()
    const charged = Number((before - (await chain.usdcBalance(buyer.account.address))) / priceAtomic)
    return {
      ...{ calls, dropped: count.drops, settled: ids.size, lost: count.lost },
      ...{ charged_twice: Math.max(0, charged - ids.size), worked_twice: Math.max(0, worked() - calls) },
    }
  } finally {
    await market.stop()
  }
}

const untilSettled = async (request: Request): Promise<Response> => {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(request.clone())
    if (response.status === 200 || tries === maxTries) return response
    await response.text()
  }
}

type Served = { worked(): number; paidPath: string; freePath: string; stop(): void }

/** The number of concurrent polls per agent. */
const workers = 8
const task = z.object({ task_id: z.string() })
const work = 'An old silent pond'

/** Starts a paid and a free agent, which both use long polling and answer at once. */
const serve = async (market: TestService): Promise<Served> => {
  const paid = await provider(market, plain(price))
  await post(
    market.url,
    '/agents/register',
    { handle: 'free-poet', name: 'free-poet', chain_id: 97, job_offerings: [] },
    paid.token,
  )
  let isOver = false
  let worked = 0
  const loop = async (step: () => Promise<unknown>) => {
    while (!isOver) await step().catch(() => undefined)
  }
  for (let at = 0; at < workers; at += 1) {
    void loop(async () => {
      const { job_id } = await paid.take()
      worked += 1
      await paid.deliver(job_id, work)
    })
    void loop(async () => {
      const { json } = await get(market.url, '/gateway/tasks/poll?agent=free-poet&timeout=10')
      const { task_id } = task.parse(json)
      await post(market.url, '/gateway/tasks/complete', { task_id, result: work })
    })
  }
  const stop = () => {
    isOver = true
  }
  const base = `${market.url}/x402/agents/${paid.handle}`
  return { worked: () => worked, paidPath: `${base}/offerings/plain`, freePath: `${market.url}/invoke/free-poet`, stop }
}

const payer = (account: ReturnType<typeof privateKeyToAccount>, { addresses: { usdc: asset } }: Chain) => {
  const client = new x402Client()
    .register('eip155:97', new ExactEvmScheme(account))
    .setSpendControls({ allowedAssets: [{ network: 'eip155:97', asset }] })
  return (via: typeof fetch) => wrapFetchWithPayment(via, client)
}

const times = async (call: () => Promise<Response>): Promise<number[]> => {
  const found: number[] = []
  for (let at = 0; at < oneByOne; at += 1) {
    const began = performance.now()
    const response = await call()
    await response.text()
    found.push(performance.now() - began)
    if (response.status !== 200) throw new Error(`a call was answered ${response.status}`)
  }
  return found
}

const readId = async (response: Response) => {
  const { data } = settled.safeParse(await response.json())
  return data?.payment_id
}

const countOpen = async (market: TestService, ids: string[]) => {
  const calls = await Promise.all(ids.map(it => paidCallsOf(market.service.world.deps.store).paidCall(it)))
  return calls.filter(it => it && it.settling !== 'confirmed').length
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Posting, Store, Tables } from '../../../src/ports.ts'
import type { Outside } from '../../../src/world.ts'
import { burning, newFuse } from '../../fuse.ts'
import { ask, plain, provider } from '../../hire/market.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'
import { auditTokens } from './audit.ts'

let fuse = newFuse()
let market: TestService
let owner: User
let buyer: User
let token = ''
const by = ({ token: bearer }: User) => ({ url: market.url, token: bearer })
const quoted = z.object({ digest: z.string(), expected_out: z.string() })
const quote = async (user: User, side: 'buy' | 'sell', amount: string) =>
  quoted.parse((await ask(by(user), `/tokens/${token}/quotes`, { body: { side, amount } })).body)
const trade = (user: User, digest: string) => ask(by(user), `/tokens/${token}/trades`, { body: { digest } })
const audit = () => auditTokens(market.service.world.deps, [buyer.proxy])
const agrees = () => until('the books to agree', async () => ((await audit()).length === 0 ? true : undefined))

const open = async (wrap: (outside: Outside) => Outside) => {
  market = await startTestService({ wrap, env: { LOG_LEVEL: 'silent' } })
  const agent = await provider(market, plain('0.1'), 'coiner')
  owner = await market.user('owner-coiner')
  buyer = await market.user('buyer')
  const body = { name: 'Coiner', symbol: 'COIN' }
  const made = await ask(by(owner), `/agents/${encodeURIComponent(agent.agentId)}/token`, { body })
  token = z.object({ token: z.object({ token: z.string() }) }).parse(made.body).token.token
}

describe('a service that dies', () => {
  beforeAll(() =>
    open(({ store, chain }) => {
      fuse = newFuse()
      return { store: burning(store, fuse), chain: burning(chain, fuse) }
    }),
  )
  afterAll(() => market?.stop())

  const deaths = Array.from({ length: 12 }, (_, at) => 2 + at * 7)
  test.each(deaths)('at call %i of a trade makes it once or never, and the same yes finishes it', async calls => {
    const { digest, expected_out } = await quote(buyer, calls % 2 === 0 ? 'buy' : 'sell', calls % 2 === 0 ? '0.5' : '1000')
    fuse.left = calls
    const first = trade(buyer, digest).catch(() => undefined)
    await Promise.race([first, fuse.burnt])
    fuse.left = 0
    await market.restart()
    await first
    const done = await until('the trade', async () => {
      const { body } = await trade(buyer, digest)
      return z.object({ status: z.literal('done'), received: z.string() }).safeParse(body).data
    })
    expect(done.received).toBe(expected_out)
    const { trades } = z
      .object({ trades: z.array(z.object({ digest: z.string() })) })
      .parse((await ask(by(buyer), '/v1/trades')).body)
    expect(trades.filter(it => it.digest === digest)).toHaveLength(1)
    await agrees()
  })
})

/** The store with one function replaced, also within transactions. */
const changed = (store: Store, replace: (tables: Tables) => Partial<Tables>): Store => ({
  ...store,
  ...replace(store),
  atomically: work => store.atomically(tables => work({ ...tables, ...replace(tables) })),
})

const isTrade = ({ key }: Posting) => key.startsWith('trade:')
const planted: Record<string, (tables: Tables) => Partial<Tables>> = {
  'a purchase is posted twice': tables => ({
    post: async it => {
      if (isTrade(it)) await tables.post({ ...it, key: `${it.key}:again` })
      return tables.post(it)
    },
  }),
  'the fee of a trade is lost': tables => ({
    post: it => {
      const fee = it.entries.find(each => each.account.includes('token-fees:'))
      const entries = it.entries.flatMap(each => {
        if (each === fee) return []
        return fee && each.account.startsWith('curve:') ? [{ ...each, amount: each.amount + fee.amount }] : [each]
      })
      return tables.post({ ...it, entries })
    },
  }),
  'a trade is not recorded': tables => ({
    addMinedTrade: async () => undefined,
    post: it => (isTrade(it) ? Promise.resolve(true) : tables.post(it)),
  }),
}

describe.each(Object.entries(planted))('planted: %s', (_bug, replace) => {
  beforeAll(() => open(({ store, chain }) => ({ store: changed(store, replace), chain })))
  afterAll(() => market?.stop())

  test('the audit of the books finds it', async () => {
    const { digest } = await quote(buyer, 'buy', '1')
    await trade(buyer, digest)
    expect(await audit()).not.toEqual([])
  })
})

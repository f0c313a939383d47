import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { address } from '../../../src/domain/hex.ts'
import { formatUsdc, parseUsdc } from '../../../src/domain/money/money.ts'
import { oneToken, quoteBuy, quoteSell, tokenDecimals, tokenSupply } from '../../../src/domain/tokens/tokenCurve.ts'
import { launchToken } from '../../../src/features/tokens/launchToken.ts'
import { listHoldings } from '../../../src/features/tokens/listHoldings.ts'
import { payTokenFees } from '../../../src/features/tokens/payFees.ts'
import { listTokens, readCandles } from '../../../src/features/tokens/readTokens.ts'
import { readEarnings } from '../../../src/operations/market/readStats.ts'
import { listWithdrawals } from '../../../src/operations/withdrawals/withdraw.ts'
import { quoteRecord, tokenRecord, tradeRecord } from '../../../src/records/token.ts'
import { withdrawalRecord } from '../../../src/records/withdrawal.ts'
import { ask, balancesOf, plain, provider } from '../../hire/market.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'
import { auditTokens } from './audit.ts'

let market: TestService
let agent: Awaited<ReturnType<typeof provider>>
let owner: User
let buyer: User
let token: z.infer<typeof tokenRecord>
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'error' } })
  agent = await provider(market, plain('0.4'), 'coiner')
  owner = await market.user('owner-coiner')
  buyer = await market.user('buyer')
})
afterAll(() => market?.stop())

const by = ({ token: bearer }: User) => ({ url: market.url, token: bearer })
const launch = (user: User, body: Record<string, unknown>) =>
  ask(by(user), `/agents/${encodeURIComponent(agent.agentId)}/token`, { body })
const quote = async (user: User, body: Record<string, unknown>) =>
  quoteRecord.parse((await ask(by(user), `/tokens/${token.token}/quotes`, { body })).body)
const trade = (user: User, digest: string) => ask(by(user), `/tokens/${token.token}/trades`, { body: { digest } })
const traded = async (user: User, digest: string) => tradeRecord.parse((await trade(user, digest)).body)
const read = async () => tokenRecord.parse((await ask({ url: market.url }, `/tokens/${token.token}?chain_id=97`)).body)
const tokens = (text: string | null | undefined) => parseUsdc(text ?? '', tokenDecimals) ?? -1n

test('the owner of an agent launches its token once, and nobody else does', async () => {
  const wanted = { name: 'Coiner of words', symbol: 'COIN' }
  expect(await launch(buyer, wanted)).toMatchObject({ status: 404, code: 'agent-not-found' })
  expect(await ask({ url: market.url }, '/agents/coiner/token', { body: wanted })).toMatchObject({ status: 401 })
  expect(await ask({ url: market.url }, '/agents/coiner/token')).toMatchObject({ status: 404, code: 'token-not-found' })

  const made = await launch(owner, wanted)
  expect(made.status).toBe(201)
  const launched = launchToken.output.parse(made.body)
  expect(launched).toMatchObject({ status: 'launched', token: { ...wanted, agent_id: agent.agentId, reserve_asset: 'USDC' } })
  token = tokenRecord.parse(launched.token)
  expect(token).toMatchObject({ creator: owner.wallet, circulating: '0', price: '0.000005', supply: '1000000000' })
  expect(launchToken.output.parse((await launch(owner, wanted)).body).token).toEqual(token)
  expect(await launch(owner, { ...wanted, symbol: 'COINS' })).toMatchObject({ status: 409, code: 'token-exists' })
  expect(await ask({ url: market.url }, '/agents/coiner/token')).toMatchObject({ status: 200, body: token })
  expect(listTokens.output.parse((await ask({ url: market.url }, '/tokens')).body)).toEqual({ tokens: [token], total: 1 })
})

test('row 73: a purchase gives what its quote said, to the unit, and only after the own yes to its digest', async () => {
  const quoted = await quote(buyer, { side: 'buy', amount: '10' })
  const start = { virtualReserve: 5_000_000_000n, reserve: 0n, held: tokenSupply, feeBps: 100 }
  const { out, fee } = quoteBuy(start, 10_000_000n)
  expect(quoted).toMatchObject({ amount_in: '10', expected_out: formatUsdc(out, 18), fee: formatUsdc(fee, 6), asset: 'USDC' })
  expect(quoted.text).toContain('Pay 10 USDC for at least')
  expect(await read()).toMatchObject({ circulating: '0' })

  expect(await trade(owner, quoted.digest)).toMatchObject({ status: 404, code: 'quote-not-found' })
  expect(await trade(buyer, `${quoted.digest.slice(0, -1)}_`)).toMatchObject({ status: 404, code: 'quote-not-found' })
  const bought = await traded(buyer, quoted.digest)
  expect(bought).toMatchObject({ status: 'done', received: quoted.expected_out })
  expect(await traded(buyer, quoted.digest)).toEqual(bought)
  expect(await balancesOf(buyer)).toMatchObject({ user: 15 })
  expect(await read()).toMatchObject({ circulating: quoted.expected_out, reserve: '9.9', traders: 1 })
})

test('a sale pays what its quote said, to the unit, and the bars of the chart follow the trades', async () => {
  const before = await read()
  const quoted = await quote(buyer, { side: 'sell', amount: '1000000' })
  const held = tokenSupply - tokens(before.circulating)
  const curve = { virtualReserve: 5_000_000_000n, reserve: 9_900_000n, held, feeBps: 100 }
  const { out } = quoteSell(curve, 1_000_000n * oneToken)
  expect(quoted.expected_out).toBe(formatUsdc(out, 6))
  expect(await traded(buyer, quoted.digest)).toMatchObject({ status: 'done', received: quoted.expected_out })
  expect((await balancesOf(buyer)).user).toBeCloseTo(15 + Number(quoted.expected_out))
  const { candles } = readCandles.output.parse(
    (await ask({ url: market.url }, `/tokens/${token.token}/candles?span=1d&chain_id=97`)).body,
  )
  expect(candles).toMatchObject([{ open: '0.000005', close: (await read()).price, trades: 2 }])
})

test('row 72: a trade of more than the wallet holds, of too little, or by a stranger is refused', async () => {
  const much = await quote(buyer, { side: 'buy', amount: '1000' })
  expect(await trade(buyer, much.digest)).toMatchObject({ status: 402, code: 'insufficient-funds' })
  const path = `/tokens/${token.token}/quotes`
  for (const amount of ['0', '-1', 'all', '0.0000001', '9'.repeat(60)])
    expect(await ask(by(buyer), path, { body: { side: 'buy', amount } })).toMatchObject({ status: 422 })
  expect(await ask(by(buyer), path, { body: { side: 'buy', amount: '1', asset: 'WBNB' } })).toMatchObject({ status: 422 })
  expect(await ask(by(buyer), path, { body: { side: 'buy', amount: '1', slippage_bps: 5_000 } })).toMatchObject({ status: 422 })
  expect(await ask({ url: market.url }, path, { body: { side: 'buy', amount: '1' } })).toMatchObject({ status: 401 })
  expect(await ask(by(buyer), `/tokens/0x${'1'.repeat(40)}/quotes`, { body: { side: 'buy', amount: '1' } })).toMatchObject({
    ...{ status: 404, code: 'token-not-found' },
  })
})

test('with coin and wrapped coin: a curve of the wrapped coin is bought and sold in both, and top-ups for gas are never spent', async () => {
  const coined = await provider(market, plain('0.4'), 'wrapper')
  const wrapper = await market.user('owner-wrapper')
  const body = { name: 'Wrapped', symbol: 'WRAP', reserve_asset: 'WBNB' }
  const made = launchToken.output.parse(
    (await ask(by(wrapper), `/agents/${encodeURIComponent(coined.agentId)}/token`, { body })).body,
  )
  expect(made.token).toMatchObject({ reserve_asset: 'WBNB', price: '0.000000008' })
  const its = made.token?.token ?? ''
  const go = async (of: Record<string, unknown>) => {
    const quoted = await ask(by(buyer), `/tokens/${its}/quotes`, { body: of })
    if (quoted.status !== 200) return quoted
    const { digest } = quoteRecord.parse(quoted.body)
    return ask(by(buyer), `/tokens/${its}/trades`, { body: { digest } })
  }
  // The wallet has what the treasury gave it for gas, and nothing to spend.
  expect(await go({ side: 'buy', amount: '0.001', asset: 'BNB' })).toMatchObject({ status: 402, code: 'insufficient-funds' })
  expect(await ask(by(buyer), '/v1/wallets/me/test-coin', { body: {} })).toMatchObject({ body: { amount: '1', status: 'done' } })
  expect(await ask(by(buyer), '/v1/wallets/me/test-coin', { body: {} })).toMatchObject({ body: { amount: '1', status: 'done' } })
  expect(await go({ side: 'buy', amount: '2', asset: 'BNB' })).toMatchObject({ status: 402 })
  const bought = tradeRecord.parse((await go({ side: 'buy', amount: '0.5', asset: 'BNB' })).body)
  expect(bought).toMatchObject({ status: 'done', asset: 'BNB' })
  const half = formatUsdc(tokens(bought.received) / 2n, 18)
  const sold = tradeRecord.parse((await go({ side: 'sell', amount: half, asset: 'WBNB' })).body)
  expect(sold).toMatchObject({ status: 'done', asset: 'WBNB' })
  expect(await go({ side: 'buy', amount: '0.1', asset: 'WBNB' })).toMatchObject({ body: { status: 'done' } })
  expect(await go({ side: 'sell', amount: half, asset: 'BNB' })).toMatchObject({ body: { status: 'done', asset: 'BNB' } })
  const { wrapped_coin, holdings } = listHoldings.output.parse((await ask(by(buyer), '/v1/holdings?chain_id=97')).body)
  expect(Number(wrapped_coin.balance)).toBeCloseTo(Number(sold.received) - 0.1)
  // Of each asset a posting adds up to zero: the wrapper takes coin and gives wrapped coin.
  const { store, chains } = market.service.world.deps
  const sumOf = async (account: string) => (await store.ledger({ account })).reduce((sum, it) => sum + it.amount, 0n)
  const wrapped = await sumOf(`${chains.get(97)?.launchpad?.wrappedCoin}/wrapper`)
  expect([await sumOf('coin/wrapper'), wrapped < 0n]).toEqual([-wrapped, true])
  expect(holdings.map(it => it.symbol)).toEqual(['WRAP', 'COIN'])
})

test('the creator’s fees go to the agent’s wallet, exactly, and nobody else asks for them', async () => {
  const path = `/agents/${encodeURIComponent(agent.agentId)}/token/fees`
  expect(await ask(by(buyer), path, { body: {} })).toMatchObject({ status: 404 })
  const { wallet } = agent
  const held = async () => (await balancesOf(owner, { agent: wallet })).agent
  const before = (await held()) ?? 0
  const starts = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())
  const earned = async (of: string, user: User) =>
    readEarnings.output.parse((await ask(by(user), `/agents/${of}/earnings?starts=${starts}`)).body)[0]
  expect(await earned('coiner', owner)).toMatchObject({ amount: '0', token_fees: { amount: '0', currency: 'USDC' } })
  const fees = payTokenFees.output.parse((await ask(by(owner), path, { body: {} })).body)
  expect(Number(fees.waiting)).toBeGreaterThan(0.05)
  const paid = await until('the fees', async () => {
    const now = payTokenFees.output.parse((await ask(by(owner), path, { body: {} })).body)
    return Number(now.paid) > 0 ? now : undefined
  })
  expect(paid).toEqual({ currency: 'USDC', waiting: '0', paid: fees.waiting, status: 'none' })
  expect((await held()) ?? 0).toBeCloseTo(before + Number(fees.waiting))
  const inUsdc = { amount: fees.waiting, currency: 'USDC' }
  expect(await earned('coiner', owner)).toMatchObject({ ...inUsdc, token_fees: inUsdc })

  const wrapper = await market.user('owner-wrapper')
  const pay = async () => payTokenFees.output.parse((await ask(by(wrapper), '/agents/wrapper/token/fees', { body: {} })).body)
  const waiting = (await pay()).waiting
  await until('the fees in wrapped coin', async () => (Number((await pay()).paid) > 0 ? true : undefined))
  expect(await earned('wrapper', wrapper)).toMatchObject({ amount: '0', token_fees: { amount: waiting, currency: 'WBNB' } })
  expect(await auditTokens(market.service.world.deps, [buyer.proxy])).toEqual([])
})

test('tokens, coin and wrapped coin are withdrawn to the owner’s own wallet, to the unit, and only what is free', async () => {
  const { chains } = market.service.world.deps
  const chain = chains.get(97)
  if (!chain?.launchpad?.wrappedCoin || !chain.coinBalance) throw new Error('the chain trades no tokens')
  const { launchpad, coinBalance } = chain
  const wrappedCoin = chain.launchpad.wrappedCoin
  const withdraw = async (user: User, body: Record<string, unknown>) => ask(by(user), '/v1/withdrawals', { body })
  const done = async (user: User, body: Record<string, unknown>) => {
    const { withdrawal_id, amount } = withdrawalRecord.parse((await withdraw(user, body)).body)
    const its = await until(`withdrawal of ${body.asset}`, async () =>
      listWithdrawals.output
        .parse((await ask(by(user), '/v1/withdrawals')).body)
        .withdrawals.find(it => it.withdrawal_id === withdrawal_id && it.status !== 'pending'),
    )
    expect(its).toMatchObject({ status: 'done', to: user.wallet, amount })
    return its
  }
  const own = address.parse(buyer.wallet.toLowerCase())
  const { holdings, wrapped_coin, coin } = listHoldings.output.parse((await ask(by(buyer), '/v1/holdings?chain_id=97')).body)
  const coiner = holdings.find(it => it.symbol === 'COIN')
  const its = address.parse(coiner?.token)

  // A part by the handle of the agent, the rest by the address of the token.
  expect(await done(buyer, { asset: 'coiner', amount: '1.5' })).toMatchObject({ asset: its, from: buyer.proxy })
  expect(await launchpad.balance(its, own)).toBe(15n * 10n ** 17n)
  expect(await withdraw(buyer, { asset: its, amount: coiner?.balance })).toMatchObject({
    status: 402,
    code: 'insufficient-funds',
  })
  await done(buyer, { asset: its })
  expect(await launchpad.balance(its, own)).toBe(tokens(coiner?.balance))
  expect(await done(buyer, { asset: 'WBNB' })).toMatchObject({ asset: 'WBNB', amount: wrapped_coin.balance })
  expect(await launchpad.balance(wrappedCoin, own)).toBe(tokens(wrapped_coin.balance))
  // Two top-ups for gas stay in the wallet.
  const sent = await done(buyer, { asset: 'BNB' })
  expect(await coinBalance(own)).toBe(tokens(sent.amount))
  expect(Number(sent.amount)).toBeCloseTo(Number(coin.balance) - 0.2, 2)
  expect(await withdraw(buyer, { asset: 'BNB', amount: '0.1' })).toMatchObject({ status: 402, code: 'insufficient-funds' })
  expect(await withdraw(buyer, { asset: 'nobody' })).toMatchObject({ status: 404 })
  expect(await withdraw(buyer, { asset: `0x${'1'.repeat(40)}` })).toMatchObject({ status: 404, code: 'token-not-found' })

  // The fees of a curve of wrapped coin leave the agent's wallet to its owner, and to nobody else.
  const wrapper = await market.user('owner-wrapper')
  const fees = { asset: 'WBNB', agent_id: 'wrapper' }
  expect(await withdraw(buyer, fees)).toMatchObject({ status: 404, code: 'agent-not-found' })
  await done(wrapper, fees)
  expect(await launchpad.balance(wrappedCoin, address.parse(wrapper.wallet.toLowerCase()))).toBeGreaterThan(0n)
})

test('of two trades of one wallet at once one goes, and after a restart everything is as it was', async () => {
  const [one, two] = [await quote(buyer, { side: 'buy', amount: '1' }), await quote(buyer, { side: 'buy', amount: '1' })]
  const answers = await Promise.all([one, two].map(it => trade(buyer, it.digest)))
  expect(answers.filter(it => it.status === 200)).toHaveLength(1)
  const [before, trades] = [await read(), (await ask(by(buyer), '/v1/trades')).body]
  await market.restart()
  expect(await read()).toEqual(before)
  expect((await ask(by(buyer), '/v1/trades')).body).toEqual(trades)
  await market.restart({ rebuild: true })
  await until('the tokens to be read again', async () =>
    listTokens.output.parse((await ask({ url: market.url }, '/tokens')).body).total === 2 ? true : undefined,
  )
  expect(
    await until('the trades', async () => {
      const now = await read()
      return now.circulating === before.circulating ? now : undefined
    }),
  ).toEqual(before)
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { hex } from '../../../src/domain/hex.ts'
import { parseUsdc } from '../../../src/domain/money/money.ts'
import { activityPage } from '../../../src/records/market/activity.ts'
import { start } from '../../cli/program.ts'
import { lookForChain } from '../../faults/embedded.ts'
import { lower, openOutsider } from '../../faults/outsider.ts'
import { ask, plain, provider, rested, talk } from '../../hire/market.ts'
import { openPresent } from '../../mcp/clients.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
})
afterAll(() => market?.stop())

const page = async ({ client }: User, query = '') => activityPage.parse(await client.get(`/v1/activity?${query}`))

const moved = z.object({ activity: z.array(z.object({ amount: z.string() })) })
const held = z.object({ usdc: z.string() })
const toAtomic = (decimal: string) => {
  const amount = parseUsdc(decimal.replace('-', ''), 6) ?? 0n
  return decimal.startsWith('-') ? -amount : amount
}
const sumOf = (amounts: string[]) => amounts.reduce((sum, it) => sum + toAtomic(it), 0n)

/** Waits until the newest movement is the expected one, and returns the whole history. */
const whole = (user: User, count: number, query = '') =>
  until(`${count} movements`, async () => {
    const { activity } = await page(user, `limit=100&${query}`)
    return activity.length >= count ? activity : undefined
  })

test('the history of a wallet names what each movement was for, and adds up to the balance to the unit', async () => {
  const agent = await provider(market, plain('0.4'), 'poet')
  const user = await market.user('saver')
  const hire = async () => {
    const { say } = talk(user)
    await say('Hire agent poet to write a haiku', 20_000)
    return say('yes', 0)
  }
  const paid = await hire()
  await agent.deliver((await agent.take()).job_id, 'frog')
  expect(await rested(user, paid.run_id)).toMatchObject({ state: 'completed' })
  const failed = await hire()
  await agent.report((await agent.take()).job_id, { status: 'failed', error: 'no words' })
  expect(await rested(user, failed.run_id)).toMatchObject({ state: 'completed' })
  await user.client.post('/v1/withdrawals', { amount: '5' })
  await whole(user, 5)

  // The user sends a part of it back from a wallet that this service does not know the key of.
  const file = z.object({ privateKey: hex }).parse(JSON.parse(await readFile(join(market.dir, 'saver.json'), 'utf8')))
  const usdc = z
    .object({ balances: z.array(z.object({ usdc_address: z.string() })).min(1) })
    .parse(await user.client.get('/v1/wallets/me')).balances[0]
  const outsider = openOutsider(privateKeyToAccount(file.privateKey), () => ({
    rpcUrl: lookForChain(market.dir).rpcUrl,
    usdc: usdc?.usdc_address ?? '',
  }))
  await outsider.sendTransfer(await outsider.sign({ to: lower(user.proxy), value: 1_250_001n }))
  await outsider.sendTransfer(await outsider.sign({ to: lower(user.proxy), value: 0n }))

  const activity = await whole(user, 6)
  expect(activity.map(it => [it.kind, it.amount, it.offering_name, it.subject])).toEqual([
    ['deposit', '1.250001', null, null],
    ['withdrawal', '-5', null, null],
    ['refund', '0.4', 'Write a haiku', 'to write a haiku'],
    ['hire', '-0.4', 'Write a haiku', 'to write a haiku'],
    ['hire', '-0.4', 'Write a haiku', 'to write a haiku'],
    ['gift', '25', null, null],
  ])
  expect(activity.map(it => it.run_id)).toEqual([null, null, failed.run_id, failed.run_id, paid.run_id, null])
  expect(await user.client.get('/v1/account-events?limit=1')).toMatchObject({
    events: [{ kind: 'deposit', text: expect.stringContaining('1.250001 USDC arrived') }],
  })
  const { usdc: balance } = held.parse(await user.client.get(`/balances/${user.proxy}`))
  expect(sumOf(activity.map(it => it.amount))).toBe(toAtomic(balance))

  const pages: string[] = []
  for (let query = 'limit=4'; query !== ''; ) {
    const { activity: rows, next } = await page(user, query)
    pages.push(...rows.map(it => it.activity_id))
    query = next === null ? '' : `limit=4&before=${next}`
  }
  expect(pages).toEqual(activity.map(it => it.activity_id))

  const csv = await start(['wallet', 'activity', '--csv'], {
    env: { SERVICE_ENDPOINT: market.url, SERVICE_PROXY_AUTH: user.token, XDG_CONFIG_HOME: join(market.dir, 'config') },
  }).ended
  const [head = '', ...lines] = csv.out.trim().split('\n')
  const column = head.trim().split(',').indexOf('amount')
  expect(sumOf(lines.map(it => it.split(',')[column] ?? ''))).toBe(toAtomic(balance))

  const mcp = await openPresent(
    new StreamableHTTPClientTransport(new URL(`${market.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${user.token}` } },
    }),
  )
  const told = moved.parse((await mcp.call('list_activity', {})).structuredContent)
  await mcp.close()
  expect(sumOf(told.activity.map(it => it.amount))).toBe(toAtomic(balance))

  // The pay of the agent is its owner's to see.
  const owner = await market.user('owner-poet')
  const earned = await whole(owner, 1, `agent=${agent.agentId}`)
  expect(earned.map(it => it.kind)).toEqual(['earning'])
  const { usdc: pay } = held.parse(await owner.client.get(`/balances/${agent.wallet}`))
  expect(sumOf(earned.map(it => it.amount))).toBe(toAtomic(pay))
  const other = await ask({ url: market.url, token: user.token }, `/v1/activity?agent=${agent.agentId}`)
  expect(other).toMatchObject({ status: 404, code: 'agent-not-found' })
  expect(await ask({ url: market.url }, '/v1/activity')).toMatchObject({ status: 401 })
})

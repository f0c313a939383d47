import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { get } from '../http/wire.ts'
import { startTestService, type TestService } from '../service.ts'
import { openPage, pageFile } from './browser.ts'
import { begin, freshAccount } from './wallets.ts'

let market: TestService
let elsewhere: TestService
beforeAll(async () => {
  market = await startTestService()
  elsewhere = await startTestService({ env: { LOCAL_WORLD: 'false' } })
})
afterAll(() => Promise.all([market.stop(), elsewhere.stop()]))

const open = async ({ url }: TestService, more: Partial<Parameters<typeof openPage>[0]> = {}) => {
  const { code, auth_url } = await begin(url)
  const page = await openPage({ url, path: auth_url.slice(url.length), ...more })
  return { ...page, code }
}
const named = (page: Awaited<ReturnType<typeof open>>, name: string) => {
  const found = page.choices().find(it => it.textContent === name)
  if (!found) throw new Error(`No choice ${name}`)
  return found
}

describe('the address of a session', () => {
  test('is a page of this service that loads nothing from other hosts and runs no inline script', async () => {
    const { code } = await begin(market.url)
    const { status, headers, text } = await get(market.url, `/authorize?code=${code}`)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toMatch(/^default-src 'self';.*frame-ancestors 'none'/)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    const sources = [...text.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(match => match[1] ?? '')
    expect(sources.toSorted()).toEqual(['/authorize/page.css', '/authorize/page.js'])
    expect(text).not.toMatch(/<style|style=|\son\w+=|javascript:|<script(?! src)/)
    expect(text).not.toContain(code)
    const [style, script] = await Promise.all(sources.map(async it => (await get(market.url, it)).text))
    expect(script).toBe(await pageFile('page.js'))
    for (const asset of [style, script]) expect(asset).not.toMatch(/https?:|url\((?!"\/assets\/)|@import|innerHTML|eval/)
  })

  test('says in plain words what the token allows and does not allow', async () => {
    const { text } = await get(market.url, '/authorize')
    for (const words of [
      'Say yes to a proposal',
      'Set spending limits',
      'and trade agent tokens',
      'Register agents',
      'What it may not do',
      'If you did not start that program',
    ])
      expect(text).toContain(words)
  })
})

test('a person connects a wallet, reads the text to sign, approves, and copies a working token', async () => {
  const account = freshAccount()
  const page = await open(market, { account })
  await named(page, 'Test Wallet').click()
  expect([page.at('choose').hidden, page.at('approve').hidden, page.at('done').hidden]).toEqual([true, false, true])
  expect(page.at('wallet').textContent).toBe(account.address)
  expect(page.at('message').textContent).toContain('wants you to sign in with your Ethereum account')
  await page.at('yes').click()
  expect([page.at('said').textContent, page.at('done').hidden]).toEqual(['', false])
  await page.at('copy').click()
  const [token = ''] = page.copied
  expect(token).toBe(page.at('token').value)
  expect((await get(market.url, '/v1/wallets/me', token)).status).toBe(200)
  // The waiting program gets a token only when the person allows it.
  expect(await get(market.url, `/v1/status?code=${page.code}`)).toMatchObject({ status: 404 })
})

test('a waiting program gets a token of its own when the person allows it', async () => {
  const page = await open(elsewhere, { account: freshAccount() })
  await named(page, 'Test Wallet').click()
  page.at('handover').checked = true
  await page.at('yes').click()
  expect(page.at('handed').hidden).toBe(false)
  expect(await get(elsewhere.url, `/v1/status?code=${page.code}`)).toMatchObject({ status: 200, json: { status: 'approved' } })
})

test('a refusal by the wallet is shown, and the person may try again', async () => {
  let isWilling = false
  const page = await open(market, { account: freshAccount(), isWilling: () => isWilling })
  await named(page, 'Test Wallet').click()
  await page.at('yes').click()
  expect([page.at('said').textContent, page.at('done').hidden]).toEqual(['User rejected the request.', true])
  isWilling = true
  await page.at('yes').click()
  expect([page.at('said').textContent, page.at('done').hidden]).toEqual(['', false])
})

test('a demo wallet is offered in the local world and nowhere else', async () => {
  const page = await open(market)
  await named(page, 'Use a demo wallet').click()
  await page.at('yes').click()
  expect((await get(market.url, '/v1/wallets/me', page.at('token').value)).json).toMatchObject({ balances: [{ usdc: '25' }] })
  const strict = await open(elsewhere)
  expect(strict.choices()).toEqual([])
  expect(strict.at('none').hidden).toBe(false)
})

test('a page without a code, or with an expired one, says so', async () => {
  const bare = await openPage({ url: market.url, path: '/authorize' })
  expect(bare.at('said').textContent).toContain('Open this page by the address')
  const old = await openPage({ url: market.url, path: '/authorize?code=old', account: freshAccount() })
  await old.choices()[0]?.click()
  expect(old.at('said').textContent).toContain('session is unknown')
})

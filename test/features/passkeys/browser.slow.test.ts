import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { get } from '../../http/wire.ts'
import { begin } from '../../identity/wallets.ts'
import { createTestClock, startTestService } from '../../service.ts'
import { account } from '../../store/rows.ts'
import { browserPath, openBrowser } from '../../web/browser.ts'
import { createProgram, toChallenge, toVerifier } from '../oauth/program.ts'

const credentials = z.object({
  credentials: z.array(
    z.object({ credentialId: z.string(), privateKey: z.string(), signCount: z.number(), userHandle: z.string() }).loose(),
  ),
})

/** Gives a page a device that makes and keeps passkeys, as a telephone or a laptop does. */
const withDevice = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return {
    kept: async () => credentials.parse(await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    put: async (credential: Awaited<ReturnType<typeof credentials.parse>>['credentials'][number]) =>
      session.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: { ...credential, isResidentCredential: true, rpId: 'localhost' },
      }),
  }
}

const startOn = async (context: BrowserContext, url: string) => {
  const page = await context.newPage()
  const device = await withDevice(page)
  await page.goto(url)
  return { page, device }
}

const enter = async (page: Page, choice: string) => {
  await page.getByRole('button', { name: /Continue with a passkey/ }).click()
  await page.getByRole('button', { name: choice }).click()
}
/** The door closes behind whoever got in. */
const untilIn = (page: Page) => page.getByRole('region', { name: 'Sign in' }).waitFor({ state: 'detached' })
const signOut = async (page: Page, url: string) => {
  await page.goto(`${url}/app/me`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: /Continue with a passkey/ }).waitFor()
}

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'
describe.runIf(browserPath)(`in a browser${leftOut}`, () => {
  test('a person without a wallet gets an account by one passkey, comes back, from another browser, and by the recovery code', async () => {
    const market = await startTestService()
    const browser = await openBrowser()
    onTestFinished(async () => void (await Promise.all([browser.close(), market.stop()])))
    const url = market.url.replace('127.0.0.1', 'localhost')

    const { page, device } = await startOn(await browser.newContext(), market.url)
    // A number in the address can have no passkeys, so the page leads to its name.
    await page.getByRole('link', { name: 'Continue with a passkey' }).click()
    await page.waitForURL(`${url}/**`)
    await enter(page, 'I am new here')
    const code = await page.getByRole('region', { name: 'Recovery code' }).locator('code').innerText()
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await untilIn(page)
    await page.goto(`${url}/app/me`)
    await page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem').waitFor()
    await page.getByText('25.00').first().waitFor()

    await signOut(page, url)
    await page.getByRole('button', { name: /Continue with a passkey/ }).click()
    await untilIn(page)
    await page.goto(`${url}/app/me`)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()

    const [credential] = await device.kept()
    if (!credential) throw new Error('the device has no passkey')
    const second = await startOn(await browser.newContext(), url)
    await second.device.put(credential)
    await enter(second.page, 'I have a passkey')
    await untilIn(second.page)
    await second.page.goto(`${url}/app/me`)
    await second.page.getByRole('button', { name: 'Sign out' }).waitFor()

    const copy = await startOn(await browser.newContext(), url)
    await copy.device.put({ ...credential, signCount: 0 })
    await enter(copy.page, 'I have a passkey')
    await copy.page.getByRole('alert').filter({ hasText: 'not valid here' }).waitFor()

    const lost = await startOn(await browser.newContext(), url)
    await lost.page.getByRole('button', { name: /Continue with a passkey/ }).click()
    await lost.page.getByText('I lost my passkey').click()
    await lost.page.getByLabel('Recovery code').fill(code)
    await lost.page.getByRole('button', { name: 'Recover' }).click()
    expect(await lost.page.getByRole('region', { name: 'Recovery code' }).locator('code').innerText()).not.toBe(code)
    await lost.page.getByRole('button', { name: 'I have kept it' }).click()
    await untilIn(lost.page)
    await lost.page.goto(`${url}/app/me`)
    const list = lost.page.getByRole('region', { name: 'Passkeys' })
    await list.getByRole('button', { name: 'Add a passkey' }).click()
    await list.getByRole('button', { name: 'Remove' }).nth(1).click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    await signOut(page, url)
    await page.getByRole('button', { name: /Continue with a passkey/ }).click()
    await page.getByRole('alert').filter({ hasText: 'not known here' }).waitFor()
  }, 60_000)
  test('a person without a wallet whom a program sent gets in by a passkey, on the page of OAuth and on that of a session', async () => {
    const market = await startTestService()
    const browser = await openBrowser()
    onTestFinished(async () => void (await Promise.all([browser.close(), market.stop()])))
    const url = market.url.replace('127.0.0.1', 'localhost')
    const { page, device } = await startOn(await browser.newContext(), `${market.url}/v1/health`)

    const session = await begin(market.url)
    await page.goto(session.auth_url)
    await page.getByRole('button', { name: 'Continue with a passkey' }).click()
    await page.waitForURL(`${url}/authorize?**`)
    await page.getByRole('button', { name: 'Make a passkey' }).click()
    await page.getByLabel('Give a token directly').check()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Your recovery code').waitFor()
    const status = z.object({ status: z.literal('approved'), token: z.string() })
    const { token } = status.parse((await get(market.url, `/v1/status?code=${session.code}`)).json)
    const wallet = (await get(market.url, '/v1/wallets/me', token)).json
    expect(await device.kept()).toHaveLength(1)

    const program = createProgram(market.url)
    const redirect = 'http://127.0.0.1:9/callback'
    const clientId = await program.clientId({ redirect_uris: [redirect] })
    const verifier = toVerifier()
    const request = program.request(clientId, toChallenge(verifier), { redirect_uri: redirect, resource: market.url })
    await page.goto(`${market.url}/app/connect?${new URLSearchParams(request)}`)
    await page.getByRole('link', { name: 'Continue with a passkey' }).click()
    await enter(page, 'I have a passkey')
    const sent = page.waitForRequest(it => it.url().startsWith(redirect))
    await page.getByRole('button', { name: 'Allow' }).click()
    const code = new URL((await sent).url()).searchParams.get('code') ?? ''
    const grant = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: redirect }
    const given = await program.token({ ...grant, code, code_verifier: verifier })
    const { access_token } = z.object({ access_token: z.string() }).parse(await given.json())
    expect(await (await program.call(access_token, '/v1/wallets/me')).json()).toEqual(wallet)
  }, 60_000)
  test('under Account a person sets when the passkey is asked, adds an address and withdraws to it, each agreed to by the passkey', async () => {
    const clock = createTestClock()
    const market = await startTestService({ clock })
    const browser = await openBrowser()
    onTestFinished(async () => void (await Promise.all([browser.close(), market.stop()])))
    const url = market.url.replace('127.0.0.1', 'localhost')
    const context = await browser.newContext()
    await context.clock.install({ time: clock.now() })
    const { page, device } = await startOn(context, url)
    await enter(page, 'I am new here')
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await untilIn(page)
    await page.goto(`${url}/app/me`)
    const signed = async () => (await device.kept())[0]?.signCount ?? 0

    const limit = page.getByLabel('Ask my passkey above')
    const set = page.getByRole('region', { name: 'Passkeys' }).getByRole('button', { name: 'Save' })
    const before = await signed()
    for (const usdc of ['5', '50']) {
      await limit.fill(usdc)
      await set.click()
      await page.getByText(`Your passkey is asked above ${usdc} USDC`).waitFor()
    }
    // A higher limit asked the passkey, and a lower one did not.
    expect(await signed()).toBe(before + 1)

    const card = page.getByRole('region', { name: 'Withdraw' })
    await card.getByLabel('New address').fill(account(0xfeed))
    await card.getByRole('button', { name: 'Add it' }).click()
    await card.getByText('can be used from').waitFor()
    expect(await card.getByRole('button', { name: 'Withdraw' }).count()).toBe(0)
    await clock.advance(61_000, market.service.world.deps.wakeups)
    await page.clock.fastForward(61_000)
    await page.reload()
    await card.getByLabel('Amount in USDC').fill('3.5')
    await card.getByRole('button', { name: 'Withdraw' }).click()
    await card.getByText('arrived').waitFor()
    expect(await signed()).toBe(before + 3)
    await page.getByRole('region', { name: 'Balance' }).getByText('21.50').waitFor()
  }, 60_000)
})

import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../../src/domain/limits.ts'
import { get, post } from '../../http/wire.ts'
import { createTestClock, startTestService, type TestService } from '../../service.ts'
import { createPerson, request } from '../passkeys/authenticator.ts'

const clock = createTestClock()
let market: TestService
let mailServer: SMTPServer
const mails: { to: string[]; text: string }[] = []
beforeAll(async () => {
  mailServer = new SMTPServer({
    authOptional: true,
    // It has no certificate that anybody trusts.
    hideSTARTTLS: true,
    onData: (stream, { envelope }, done) =>
      void text(stream).then(it => {
        // Long lines are folded (RFC 2045, section 6.7).
        mails.push({ to: envelope.rcptTo.map(to => to.address), text: it.replace(/=\r\n/g, '').replace(/=3D/g, '=') })
        done()
      }, done),
  })
  const listening = mailServer.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = z.object({ port: z.number() }).parse(listening.address())
  const env = { LOG_LEVEL: 'silent', SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_FROM: 'market@example.org' }
  market = await startTestService({ clock, env })
})
afterAll(async () => {
  await market?.stop()
  mailServer.close()
})

const ask = (email: string) => post(market.url, '/v1/email/links', { email })
const codeIn = (mail: string) => /\/app\/email#(\S+)/.exec(mail)?.[1] ?? ''
const codeFor = async (email: string) => {
  expect(await ask(email)).toMatchObject({ status: 200, json: { sent: true } })
  return codeIn(mails.at(-1)?.text ?? '')
}
const enter = (code: string) => post(market.url, '/v1/email/enter', { code })
const entered = z.object({ token: z.string(), proof: z.string().optional() })
const enterAs = async (email: string) => entered.parse((await enter(await codeFor(email))).json)
const wallet = z.object({ ethereum: z.string() })
const walletOf = async (token: string) => wallet.parse((await get(market.url, '/v1/wallets/me', token)).json).ethereum

test('an e-mailed link opens the account of its address, in any letter case, and no other account', async () => {
  const ada = await enterAs('ada@example.org')
  const [mail] = mails
  expect(mail?.to).toEqual(['ada@example.org'])
  expect(mail?.text).toMatch(/wants to sign in at 127\.0\.0\.1:\d+ with this e-mail address[\s\S]*works once, for 15 minutes/)
  const again = await enterAs('Ada@Example.org')
  const bob = await enterAs('bob@example.org')
  const [own, same, other] = await Promise.all([ada, again, bob].map(it => walletOf(it.token)))
  expect([same === own, other === own]).toEqual([true, false])
})

test('a link works once, in time, and as it was sent; two uses at the same moment are one', async () => {
  const refused = { status: 401, code: 'signature-mismatch' }
  const code = await codeFor('once@example.org')
  for (const wrong of ['made-up', `${code}0`, code.replace(/^./, 'x')]) expect(await enter(wrong)).toMatchObject(refused)
  const answers = await Promise.all([enter(code), enter(code), enter(code)])
  expect(answers.map(it => it.status).toSorted()).toEqual([200, 401, 401])
  expect(await enter(code)).toMatchObject(refused)
  const late = await codeFor('once@example.org')
  clock.advance(16 * 60_000, market.service.world.deps.wakeups)
  expect(await enter(late)).toMatchObject(refused)
})

test('so many links are sent to one address in an hour, and the mail is for exactly one address', async () => {
  const before = mails.length
  const asked: number[] = []
  for (let at = 0; at < limits.emailLinks + 2; at += 1) asked.push((await ask('flooded@example.org')).status)
  expect(asked).toEqual([...Array.from({ length: limits.emailLinks }, () => 200), 429, 429])
  expect(mails).toHaveLength(before + limits.emailLinks)
  expect((await ask('calm@example.org')).status).toBe(200)
  for (const email of ['a@b.org, c@d.org', 'a@b.org\r\nbcc: c@d.org', 'nobody', `${'x'.repeat(250)}@b.org`])
    expect((await ask(email)).status).toBe(422)
  clock.advance(61 * 60_000, market.service.world.deps.wakeups)
  expect((await ask('flooded@example.org')).status).toBe(200)
})

test('the first passkey of such an account is added by the link alone; afterwards the mailbox adds none', async () => {
  const { token, proof } = await enterAs('careful@example.org')
  const person = createPerson(market.url)
  const adding = (of: string, given: string | undefined) =>
    request(market.url, { path: '/v1/passkeys/adding', body: { ...(given && { proof: given }) }, token: of })
  expect(await adding(token, undefined)).toMatchObject({ status: 428 })
  const { options } = z.object({ options: z.looseObject({ challenge: z.string() }) }).parse((await adding(token, proof)).json)
  const added = await post(market.url, '/v1/passkeys', { answer: person.passkey.make(options.challenge) }, token)
  expect(added.status).toBe(200)
  const later = await enterAs('careful@example.org')
  expect([later.proof, await walletOf(later.token)]).toEqual([undefined, await walletOf(token)])
  expect(await adding(later.token, undefined)).toMatchObject({ status: 403, code: 'passkey-needed' })
})

test('a mail server that takes nothing is said, without the address', async () => {
  mailServer.onData = (stream, _session, done) => void text(stream).then(() => done(new Error('full: eve@example.org')))
  const { status, text: said } = await ask('eve@example.org')
  expect([status, said.includes('eve@')]).toEqual([503, false])
})

test('without a mail server nobody signs in by e-mail', async () => {
  const plain = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  const asked = await post(plain.url, '/v1/email/links', { email: 'ada@example.org' })
  const page = await get(plain.url, '/')
  await plain.stop()
  expect([asked.status, page.text.includes('data-mail="false"')]).toEqual([404, true])
})

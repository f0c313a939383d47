import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { get, send } from '../../http/wire.ts'
import { createTestClock, startTestService, type TestService } from '../../service.ts'
import { createPasskey, createPerson, entered } from './authenticator.ts'

const clock = createTestClock()
let market: TestService
beforeAll(async () => {
  market = await startTestService({ clock, env: { LOG_LEVEL: 'silent' } })
})
afterAll(() => market?.stop())

const users = z.object({ users: z.array(z.object({ user_id: z.string() })) })
const userOf = async (token: string) => users.parse((await get(market.url, '/accounts/users', token)).json).users[0]?.user_id
const wallet = z.object({ ethereum: z.string() })
const listed = z.object({ passkeys: z.array(z.object({ passkey_id: z.string() })) })
const passkeysOf = async (token: string) =>
  listed.parse((await get(market.url, '/v1/passkeys', token)).json).passkeys.map(it => it.passkey_id)
const remove = (token: string, id: string) =>
  send(market.url, { method: 'DELETE', path: `/v1/passkeys/${id}`, headers: { authorization: `Bearer ${token}` } })
const refused = { status: 401, json: { code: 'signature-mismatch' } }

test('a passkey makes an account whose custodial wallet is its identity, and signs in to it again', async () => {
  const person = createPerson(market.url)
  const { token, recovery_code } = await person.signUp()
  expect(recovery_code).toMatch(/^(?:[0-9A-Z]{4}-){6}[0-9A-Z]{2}$/)
  const { ethereum } = wallet.parse((await get(market.url, '/v1/wallets/me', token)).json)
  expect(await userOf(token)).toBe(`user:${ethereum}`)
  const again = entered.parse((await person.signIn(1)).json)
  expect(again.recovery_code).toBeUndefined()
  expect(await userOf(again.token)).toBe(`user:${ethereum}`)
})

test('an answer is used once, in time, for its own purpose, page and account', async () => {
  const person = createPerson(market.url)
  const { token } = await person.signUp()
  const { passkey, challenge, call } = person
  const answer = passkey.sign(await challenge('sign-in'), 1)
  expect(await call('/v1/passkeys/sign-in', { answer })).toMatchObject({ status: 200 })
  const elsewhere = { origin: 'https://evil.example', rpId: 'localhost' }
  const other = { origin: person.origin, rpId: 'evil.example' }
  const late = await challenge('sign-in')
  const wrong = [
    answer,
    passkey.sign(await challenge('sign-up'), 2),
    passkey.sign(await person.adding(token), 2),
    passkey.sign(Buffer.from('made up').toString('base64url'), 2),
    passkey.sign(await challenge('sign-in'), 2, elsewhere),
    passkey.sign(await challenge('sign-in'), 2, other),
    createPasskey({ origin: person.origin, rpId: 'localhost' }).sign(await challenge('sign-in'), 2),
    { ...createPasskey({ origin: person.origin, rpId: 'localhost' }).sign(await challenge('sign-in'), 2), id: passkey.id },
  ]
  for (const it of wrong) expect(await call('/v1/passkeys/sign-in', { answer: it })).toMatchObject(refused)
  clock.advance(6 * 60_000, market.service.world.deps.wakeups)
  expect(await call('/v1/passkeys/sign-in', { answer: passkey.sign(late, 2) })).toMatchObject(refused)
  expect(await person.signIn(2)).toMatchObject({ status: 200 })
})

test('a passkey whose counter did not grow is a copy, and is refused', async () => {
  const person = createPerson(market.url)
  await person.signUp()
  expect(await person.signIn(5)).toMatchObject({ status: 200 })
  for (const counter of [5, 4, 0]) expect(await person.signIn(counter)).toMatchObject(refused)
  expect(await person.signIn(6)).toMatchObject({ status: 200 })
})

test('a registration is used once, and a known passkey makes no second account', async () => {
  const person = createPerson(market.url)
  const answer = person.passkey.make(await person.challenge('sign-up'))
  expect(await person.call('/v1/passkeys/sign-up', { answer })).toMatchObject({ status: 200 })
  expect(await person.call('/v1/passkeys/sign-up', { answer })).toMatchObject(refused)
  const again = person.passkey.make(await person.challenge('sign-up'))
  expect(await person.call('/v1/passkeys/sign-up', { answer: again })).toMatchObject(refused)
})

test('a person adds and removes passkeys; the last one stays, and nobody adds or removes another’s', async () => {
  const [ada, eve] = [createPerson(market.url), createPerson(market.url)]
  const [{ token }, stranger] = [await ada.signUp(), await eve.signUp()]
  expect((await remove(token, ada.passkey.id)).status).toBe(404)
  const second = createPerson(market.url)
  const stolen = second.passkey.make(await eve.adding(stranger.token))
  expect(await ada.call('/v1/passkeys', { answer: stolen }, token)).toMatchObject(refused)
  const answer = second.passkey.make(await ada.adding(token))
  expect(await ada.call('/v1/passkeys', { answer, name: 'Telephone' }, token)).toMatchObject({ json: { name: 'Telephone' } })
  expect(await userOf(entered.parse((await second.signIn(1)).json).token)).toBe(await userOf(token))
  expect((await remove(stranger.token, ada.passkey.id)).status).toBe(404)
  expect((await remove(token, ada.passkey.id)).status).toBe(200)
  expect(await passkeysOf(token)).toEqual([second.passkey.id])
  expect(await ada.signIn(1)).toMatchObject(refused)
})

test('a recovery code opens the account once, and is replaced; the database holds only its hash', async () => {
  const person = createPerson(market.url)
  const { token, recovery_code = '' } = await person.signUp()
  const recover = (code: string) => person.call('/v1/passkeys/recover', { recovery_code: code })
  const answers = await Promise.all([recover(recovery_code), recover(recovery_code.toLowerCase().replaceAll('-', ' '))])
  expect(answers.map(it => it.status).toSorted()).toEqual([200, 401])
  const recovered = entered.parse(answers.find(it => it.status === 200)?.json)
  expect(await userOf(recovered.token)).toBe(await userOf(token))
  expect(await recover(recovery_code)).toMatchObject(refused)
  expect(await recover(recovered.recovery_code ?? '')).toMatchObject({ status: 200 })
})

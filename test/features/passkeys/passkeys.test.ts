import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { get } from '../../http/wire.ts'
import { begin, freshAccount, signIn } from '../../identity/wallets.ts'
import { createTestClock, startTestService, type TestService } from '../../service.ts'
import { agree, createPasskey, createPerson, entered, request } from './authenticator.ts'

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
const removing = (token: string, id: string) => ({ method: 'DELETE', path: `/v1/passkeys/${id}`, token })
const events = z.object({ events: z.array(z.object({ kind: z.string() })) })
const told = async (token: string) =>
  events.parse((await get(market.url, '/v1/account-events', token)).json).events.map(it => it.kind)
const recovered = z.object({ token: z.string(), proof: z.string() })
const recoveredOptions = z.object({ options: z.looseObject({ challenge: z.string() }) })
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
    passkey.sign(await challenge('sign-up'), 3),
    passkey.sign(await person.adding(token, 2), 3),
    passkey.sign(Buffer.from('made up').toString('base64url'), 3),
    passkey.sign(await challenge('sign-in'), 3, elsewhere),
    passkey.sign(await challenge('sign-in'), 3, other),
    createPasskey({ origin: person.origin, rpId: 'localhost' }).sign(await challenge('sign-in'), 3),
    { ...createPasskey({ origin: person.origin, rpId: 'localhost' }).sign(await challenge('sign-in'), 3), id: passkey.id },
  ]
  for (const it of wrong) expect(await call('/v1/passkeys/sign-in', { answer: it })).toMatchObject(refused)
  clock.advance(6 * 60_000, market.service.world.deps.wakeups)
  expect(await call('/v1/passkeys/sign-in', { answer: passkey.sign(late, 3) })).toMatchObject(refused)
  expect(await person.signIn(3)).toMatchObject({ status: 200 })
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
  expect((await agree(market.url, removing(token, ada.passkey.id), { passkey: ada.passkey, counter: 1 })).status).toBe(404)
  const second = createPerson(market.url)
  const stolen = second.passkey.make(await eve.adding(stranger.token, 1))
  expect(await ada.call('/v1/passkeys', { answer: stolen }, token)).toMatchObject(refused)
  const answer = second.passkey.make(await ada.adding(token, 2))
  expect(await ada.call('/v1/passkeys', { answer, name: 'Telephone' }, token)).toMatchObject({ json: { name: 'Telephone' } })
  expect(await userOf(entered.parse((await second.signIn(1)).json).token)).toBe(await userOf(token))
  const byStranger = removing(stranger.token, ada.passkey.id)
  expect((await agree(market.url, byStranger, { passkey: eve.passkey, counter: 2 })).status).toBe(404)
  const byOther = removing(token, ada.passkey.id)
  expect((await agree(market.url, byOther, { passkey: second.passkey, counter: 2 })).status).toBe(200)
  expect(await passkeysOf(token)).toEqual([second.passkey.id])
  expect(await ada.signIn(3)).toMatchObject(refused)
  expect(await told(token)).toEqual(['passkey-removed', 'passkey-added'])
})

test('a stolen session alone adds no passkey, removes none, and makes no recovery code; a stranger’s passkey does not help', async () => {
  const [ada, eve] = [createPerson(market.url), createPerson(market.url)]
  const [{ token, recovery_code = '' }] = [await ada.signUp(), await eve.signUp()]
  const second = createPerson(market.url)
  const theirs = second.passkey.make(await ada.adding(token, 1))
  expect((await ada.call('/v1/passkeys', { answer: theirs }, token)).status).toBe(200)
  let counter = 0
  for (const path of ['/v1/passkeys/adding', '/v1/passkeys/recovery-code']) {
    counter += 1
    const it = { path, body: {}, token }
    expect(await request(market.url, it)).toMatchObject({ status: 403, code: 'passkey-needed' })
    expect(await agree(market.url, it, { passkey: eve.passkey, counter })).toMatchObject(refused)
  }
  expect(await request(market.url, removing(token, second.passkey.id))).toMatchObject({ code: 'passkey-needed' })
  for (const proof of ['made up', recovery_code])
    expect(await request(market.url, { path: '/v1/passkeys/adding', body: { proof }, token })).toMatchObject(refused)
  expect(await passkeysOf(token)).toHaveLength(2)
  expect((await ada.call('/v1/passkeys/recover', { recovery_code })).status).toBe(200)
})

test('who lost the passkey adds another one with the proof of the recovery code, once and in their account only', async () => {
  const [ada, eve] = [createPerson(market.url), createPerson(market.url)]
  const [{ recovery_code }, stranger] = [await ada.signUp(), await eve.signUp()]
  const { token, proof } = recovered.parse((await ada.call('/v1/passkeys/recover', { recovery_code })).json)
  const adding = (of: string) => request(market.url, { path: '/v1/passkeys/adding', body: { proof }, token: of })
  expect(await adding(stranger.token)).toMatchObject(refused)
  const { options } = recoveredOptions.parse((await adding(token)).json)
  expect(await adding(token)).toMatchObject(refused)
  const fresh = createPerson(market.url)
  const answer = fresh.passkey.make(options.challenge)
  expect((await ada.call('/v1/passkeys', { answer }, token)).status).toBe(200)
  expect((await agree(market.url, removing(token, ada.passkey.id), { passkey: fresh.passkey, counter: 1 })).status).toBe(200)
  expect(await passkeysOf(token)).toEqual([fresh.passkey.id])
  expect(await told(token)).toEqual(['passkey-removed', 'passkey-added', 'recovered'])
})

test('a person with a wallet of their own adds a passkey with a fresh signature of it, and never by a session alone', async () => {
  const account = freshAccount()
  const token = await signIn(market.url, account)
  const adding = (body: object = {}) => request(market.url, { path: '/v1/passkeys/adding', body, token })
  expect(await adding()).toMatchObject({ status: 428, code: 'fresh-proof-required' })
  expect(await request(market.url, { path: '/v1/passkeys/recovery-code', body: {}, token })).toMatchObject({ status: 422 })
  const signedBy = async (signer: typeof account) => {
    const { code } = await begin(market.url)
    const { json } = await get(market.url, `/v1/approve?code=${code}&address=${account.address}`)
    const { message } = z.object({ message: z.string() }).parse(json)
    return { code, signature: await signer.signMessage({ message }) }
  }
  expect(await adding(await signedBy(freshAccount()))).toMatchObject(refused)
  const signed = await signedBy(account)
  const { options } = recoveredOptions.parse((await adding(signed)).json)
  expect((await adding(signed)).status).toBe(404)
  const person = createPerson(market.url)
  const answer = person.passkey.make(options.challenge)
  expect((await person.call('/v1/passkeys', { answer }, token)).status).toBe(200)
  expect(await userOf(entered.parse((await person.signIn(1)).json).token)).toBe(await userOf(token))
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

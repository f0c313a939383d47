import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { passkeyTables } from '../../../src/features/passkeys/ports.ts'
import { withdrawalAddressRecord, withdrawalRecord } from '../../../src/records/withdrawal.ts'
import { get } from '../../http/wire.ts'
import { createTestClock, startTestService, type TestService, until } from '../../service.ts'
import { account } from '../../store/rows.ts'
import { agree, challengeOf, createPerson, request } from './authenticator.ts'

const clock = createTestClock()
let market: TestService
let isDown = false
beforeAll(async () => {
  market = await startTestService({
    clock,
    env: { LOG_LEVEL: 'silent' },
    wrap: ({ store, chain }) => ({
      chain,
      store: {
        ...store,
        atomically: work => (isDown ? Promise.reject(new Error('killed here')) : store.atomically(work)),
      },
    }),
  })
})
afterAll(() => market?.stop())

const outside = account(0xfeed)
const addresses = z.object({ addresses: z.array(withdrawalAddressRecord) })
const list = z.object({ withdrawals: z.array(withdrawalRecord) })
const events = z.object({ events: z.array(z.object({ kind: z.string(), text: z.string() })) })

/** A person who signed up with a passkey, whose wallet here is their only one. */
const newPerson = async () => {
  const { passkey, signUp } = createPerson(market.url)
  const { token } = await signUp()
  let counter = 0
  const signed = () => {
    counter += 1
    return { passkey, counter }
  }
  const adding = (address: string = outside) => ({ path: '/v1/withdrawal-addresses', body: { chain_id: 97, address }, token })
  const taking = (body: object = {}) => ({ path: '/v1/withdrawals', body: { chain_id: 97, to: outside, ...body }, token })
  return {
    ...{ passkey, token, signed, adding, taking },
    say: (it: Parameters<typeof agree>[1]) => agree(market.url, it, signed()),
    withdrawals: async () => list.parse((await get(market.url, '/v1/withdrawals', token)).json).withdrawals,
    told: async () => events.parse((await get(market.url, '/v1/account-events', token)).json).events.map(it => it.kind),
    balance: async () => {
      const { ethereum } = z.object({ ethereum: z.string() }).parse((await get(market.url, '/v1/wallets/me', token)).json)
      return (await get(market.url, `/balances/${ethereum}?chain_id=97`, token)).json
    },
  }
}
const wait = () => clock.advance(61_000, market.service.world.deps.wakeups)
/** A person whose address can be used. */
const readyPerson = async () => {
  const person = await newPerson()
  expect((await person.say(person.adding())).status).toBe(201)
  wait()
  return person
}

test('a person with a passkey takes money out to an address that they added, after its delay, and is told of both', async () => {
  const person = await newPerson()
  expect(await request(market.url, person.taking({ to: undefined }))).toMatchObject({ status: 422, code: 'method-not-offered' })
  expect(await request(market.url, person.taking())).toMatchObject({ status: 422, code: 'address-not-added' })
  const added = withdrawalAddressRecord.parse((await person.say(person.adding())).json)
  expect(added).toMatchObject({ address: outside, chain_id: 97, name: 'My address' })
  // Set and used at once: refused, before a passkey is asked.
  expect(await request(market.url, person.taking({ amount: '5' }))).toMatchObject({ status: 409, code: 'address-waits' })
  wait()
  const { status, json } = await person.say(person.taking({ amount: '5' }))
  expect([status, json]).toMatchObject([201, { to: outside, amount: '5', status: 'pending' }])
  const done = await until('the withdrawal', async () => (await person.withdrawals()).find(it => it.status !== 'pending'))
  expect(done).toMatchObject({ status: 'done', to: outside, amount: '5', asset: 'USDC' })
  expect(await person.balance()).toMatchObject({ usdc: '20' })
  expect((await get(market.url, `/balances/${outside}?chain_id=97`, person.token)).json).toMatchObject({ usdc: '5' })
  expect(await person.told()).toEqual(['withdrawal', 'address-added'])
})

test('the passkey signs the amount, the token, the chain and the address, also those that the request left out', async () => {
  const person = await readyPerson()
  expect((await person.say(person.taking())).json).toMatchObject({ amount: '25' })
  const { deps } = market.service.world
  const [proof] = await passkeyTables(deps.store).passkeyProofs(await deps.identity.verify(person.token), 1)
  const usdc = deps.chains.get(97)?.addresses.usdc
  expect(JSON.parse(proof?.terms ?? '')).toMatchObject({ to: outside, chain_id: 97, amount: '25', asset: 'USDC', token: usdc })
})

test('a signature for one withdrawal agrees to no other amount, address or asset, and to nothing a second time', async () => {
  const person = await readyPerson()
  const other = account(0xbad)
  await person.say(person.adding(other))
  wait()
  const answer = async () => {
    const { passkey, counter } = person.signed()
    return passkey.sign(await challengeOf(market.url, person.taking({ amount: '1' })), counter)
  }
  const refused = { status: 401, code: 'signature-mismatch' }
  for (const body of [{ amount: '2' }, {}, { amount: '1', to: other }])
    expect(await request(market.url, { ...person.taking(body), answer: await answer() })).toMatchObject(refused)
  expect(await person.withdrawals()).toEqual([])
  const used = await answer()
  expect((await request(market.url, { ...person.taking({ amount: '1' }), answer: used })).status).toBe(201)
  await until('its end', async () => (await person.withdrawals()).every(it => it.status === 'done'))
  expect(await request(market.url, { ...person.taking({ amount: '1' }), answer: used })).toMatchObject(refused)
  expect(await person.withdrawals()).toHaveLength(1)
})

test('a stolen session without the passkey adds no address and takes nothing out, nor does somebody else’s passkey', async () => {
  const [ada, eve] = [await readyPerson(), await newPerson()]
  const before = addresses.parse((await get(market.url, '/v1/withdrawal-addresses', ada.token)).json)
  for (const it of [ada.adding(account(0xe7e)), ada.taking({ amount: '1' })]) {
    expect(await request(market.url, it)).toMatchObject({ status: 403, code: 'passkey-needed' })
    expect(await agree(market.url, it, eve.signed())).toMatchObject({ status: 401, code: 'signature-mismatch' })
  }
  expect(addresses.parse((await get(market.url, '/v1/withdrawal-addresses', ada.token)).json)).toEqual(before)
  expect(await ada.withdrawals()).toEqual([])
  // Her address is none of Eve's, and Eve removes none of hers.
  expect(await request(market.url, eve.taking())).toMatchObject({ code: 'address-not-added' })
  const path = `/v1/withdrawal-addresses/${before.addresses[0]?.address_id}`
  expect(await request(market.url, { method: 'DELETE', path, token: eve.token })).toMatchObject({ status: 404 })
})

test('an address that was removed gets nothing, also with a signature from before, and waits again when it is added again', async () => {
  const person = await readyPerson()
  const { passkey, counter } = person.signed()
  const answer = passkey.sign(await challengeOf(market.url, person.taking({ amount: '1' })), counter)
  const { addresses: known } = addresses.parse((await get(market.url, '/v1/withdrawal-addresses', person.token)).json)
  const path = `/v1/withdrawal-addresses/${known[0]?.address_id}`
  expect((await request(market.url, { method: 'DELETE', path, token: person.token })).status).toBe(200)
  expect(await request(market.url, { ...person.taking({ amount: '1' }), answer })).toMatchObject({ code: 'address-not-added' })
  await person.say(person.adding())
  expect(await request(market.url, person.taking({ amount: '1' }))).toMatchObject({ code: 'address-waits' })
  expect(await person.told()).toEqual(['address-added', 'address-removed', 'address-added'])
})

test('of two withdrawals at once, each signed, one is made; a repeated request is the same withdrawal without a new signature', async () => {
  const person = await readyPerson()
  const answers = []
  for (const key of [randomUUID(), randomUUID()]) {
    const it = { ...person.taking({ amount: '20' }), key }
    const { passkey, counter } = person.signed()
    answers.push({ ...it, answer: passkey.sign(await challengeOf(market.url, it), counter) })
  }
  const said = await Promise.all(answers.map(it => request(market.url, it)))
  expect(said.filter(it => it.status === 201)).toHaveLength(1)
  const [made] = await person.withdrawals()
  const first = answers[said.findIndex(it => it.status === 201)]
  if (!first) throw new Error('no withdrawal was made')
  const { answer: _, ...again } = first
  expect((await request(market.url, again)).json).toMatchObject({ withdrawal_id: made?.withdrawal_id })
  await until('its end', async () => (await person.withdrawals()).every(it => it.status === 'done'))
  expect([await person.withdrawals(), await person.balance()]).toMatchObject([[{ amount: '20' }], { usdc: '5' }])
})

test('killed between the signature and the withdrawal, nothing is taken; a new signature takes it once, over a restart', async () => {
  const person = await readyPerson()
  const { passkey, counter } = person.signed()
  const answer = passkey.sign(await challengeOf(market.url, person.taking({ amount: '3' })), counter)
  isDown = true
  const killed = await request(market.url, { ...person.taking({ amount: '3' }), answer })
  isDown = false
  expect(killed.status).toBe(500)
  expect(await person.withdrawals()).toEqual([])
  expect((await person.say(person.taking({ amount: '3' }))).status).toBe(201)
  await market.restart()
  await until('its end', async () => (await person.withdrawals()).every(it => it.status === 'done'))
  expect([await person.withdrawals(), await person.balance()]).toMatchObject([[{ amount: '3' }], { usdc: '22' }])
})

test('a wrong checksum, a contract of this market, or an address that is nobody’s is refused', async () => {
  const person = await newPerson()
  const { usdc, escrow } = market.service.world.deps.chains.get(97)?.addresses ?? {}
  const good = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  for (const address of [good.replace('5aAe', '5aae'), '0x12', 'user:me', account(0), usdc, escrow])
    expect(await person.say(person.adding(address))).toMatchObject({ status: 422, json: { pointer: '/address' } })
  expect((await person.say(person.adding(good))).json).toMatchObject({ address: good.toLowerCase() })
})

test('an account with a wallet of its own withdraws there, and adds no other address', async () => {
  const { token, wallet } = await market.user('ada')
  const adding = { path: '/v1/withdrawal-addresses', body: { address: outside }, token }
  expect(await request(market.url, adding)).toMatchObject({ status: 422, code: 'method-not-offered' })
  const taking = (to: string) => ({ path: '/v1/withdrawals', body: { to, amount: '1' }, token })
  expect(await request(market.url, taking(outside))).toMatchObject({ code: 'address-not-added' })
  expect(await request(market.url, taking(wallet))).toMatchObject({ status: 201, json: { to: wallet.toLowerCase() } })
})

import { createHash, createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sha256 } from '../../../src/domain/json.ts'
import { passkeyTables } from '../../../src/features/passkeys/ports.ts'
import { send } from '../../http/wire.ts'
import { startTestService, type TestService, until } from '../../service.ts'
import { agree, challengeOf as askedBy, createPerson, request } from './authenticator.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
})
afterAll(() => market?.stop())

const asking = z.object({ code: z.literal('passkey-needed'), passkey: z.object({ challenge: z.string() }) })
const budget = { chain_id: 97, max_per_job: '1', max_per_period: '5', period: 'week' }

type Yes = { path: string; body: object; token: string; answer?: object }
const say = ({ path, body, token, answer }: Yes) =>
  send(market.url, {
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(answer && { 'passkey-answer': Buffer.from(JSON.stringify(answer)).toString('base64url') }),
    },
    body: JSON.stringify(body),
  })
const challengeOf = async (yes: Yes) => {
  const { status, json } = await say(yes)
  expect(status).toBe(403)
  return asking.parse(json).passkey.challenge
}

test('a mandate of a person with a passkey is set only by a signature over exactly its terms, which is kept', async () => {
  const person = createPerson(market.url)
  const { token } = await person.signUp()
  const yes = { path: '/v1/mandates', body: budget, token }
  const challenge = await challengeOf(yes)
  const answer = person.passkey.sign(challenge, 1)
  const more = { ...yes, body: { ...budget, max_per_period: '500' } }
  expect(await say({ ...more, answer })).toMatchObject({ status: 401, json: { code: 'signature-mismatch' } })
  const signed = person.passkey.sign(await challengeOf(yes), 2)
  expect(await say({ ...yes, answer: signed })).toMatchObject({ status: 201 })
  expect(await say({ ...yes, answer: signed })).toMatchObject({ status: 401 })
  const { deps } = market.service.world
  const wallet = await deps.identity.verify(token)
  const [proof, ...others] = await passkeyTables(deps.store).passkeyProofs(wallet, 10)
  expect(others).toEqual([])
  // Everything that a third party needs is there: the terms, the challenge with their digest, the signature and the key.
  expect(proof?.digest).toBe(sha256(proof?.terms ?? ''))
  expect(JSON.parse(proof?.terms ?? '')).toMatchObject({ operation: 'createMandate', input: { max_per_period: '5' } })
  const { response } = JSON.parse(Buffer.from(proof?.answer ?? '', 'base64url').toString())
  const client = Buffer.from(response.clientDataJSON, 'base64url')
  const said = Buffer.from(JSON.parse(client.toString()).challenge, 'base64url').toString()
  expect(Buffer.from(said.split('.')[0] ?? '', 'base64url').toString()).toContain(proof?.digest)
  const cose = Buffer.from(proof?.publicKey ?? '', 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: cose.subarray(10, 42).toString('base64url'),
    y: cose.subarray(45).toString('base64url'),
  }
  const data = Buffer.concat([Buffer.from(response.authenticatorData, 'base64url'), createHash('sha256').update(client).digest()])
  expect(verify('sha256', data, createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(response.signature, 'base64url'))).toBe(
    true,
  )
})

test('another person’s passkey agrees to nothing', async () => {
  const [ada, eve] = [createPerson(market.url), createPerson(market.url)]
  const [{ token }] = [await ada.signUp(), await eve.signUp()]
  const yes = { path: '/v1/mandates', body: budget, token }
  const answer = eve.passkey.sign(await challengeOf(yes), 1)
  expect(await say({ ...yes, answer })).toMatchObject({ status: 401, json: { code: 'signature-mismatch' } })
  expect(await say({ ...yes, answer: { made: 'up' } })).toMatchObject({ status: 401 })
})

test('words set no mandate for a person with a passkey, and a wallet without one is asked as before', async () => {
  const person = createPerson(market.url)
  const { token } = await person.signUp()
  const message = 'You may spend up to 5 USDC a week, at most 1 a job'
  const told = await say({ path: '/invoke', body: { message, wait_ms: 5_000 }, token })
  expect(told.text).toContain('Set a spending limit under Account')
  const ada = await market.user('ada')
  expect(await say({ path: '/v1/mandates', body: budget, token: ada.token })).toMatchObject({ status: 201 })
})

test('a hire above the limit is agreed to only with the passkey, by words, by digest and by an order', async () => {
  const { store } = market.service.world.deps
  await market.agent({
    handle: 'big-poet',
    offerings: [
      {
        ...{ id: 'epic', name: 'Epic poem', description: 'Writes an epic poem', price: '21' },
        ...{ requirement: {}, deliverable: {} },
      },
    ],
    handler: async () => 'Sing, goddess.',
  })
  const person = createPerson(market.url)
  const { token } = await person.signUp()
  const order = 'I want to hire big-poet to do this task: write an epic poem Reward: 25 USDC. Please create the job and hire.'
  const task = { message: order, wait_ms: 10_000, conversation_id: 'epic' }
  const told = await say({ path: '/invoke', body: task, token })
  const { run_id } = z.object({ run_id: z.string() }).parse(told.json)
  const run = await until('the proposal', async () => {
    const found = await store.run(run_id)
    return found?.proposal && found.state === 'awaiting-confirmation' && found
  })
  expect(run.proposal?.total).toBe('21')
  const digest = run.proposal?.digest
  const confirm = { path: `/v1/hires/${run_id}/confirm`, body: { digest, decision: 'yes', wait_ms: 0 }, token }
  const words = { path: '/invoke', body: { message: 'yes', conversation_id: 'epic', wait_ms: 0 }, token }
  for (const yes of [confirm, words]) expect(await challengeOf(yes)).not.toBe('')
  expect(await store.jobOfRun(run_id)).toBeUndefined()
  const answer = person.passkey.sign(await challengeOf(words), 1)
  expect(await say({ ...words, answer })).toMatchObject({ status: 200 })
  await until('the job', () => store.jobOfRun(run_id))
})

test('the owner of an account sets from which amount the passkey is asked; only a higher one needs the passkey', async () => {
  const person = createPerson(market.url)
  const { token } = await person.signUp()
  const set = (usdc: string) => ({ method: 'PUT', path: '/v1/yes-limit', body: { usdc }, token })
  const read = async () => (await send(market.url, { path: '/v1/yes-limit', headers: { authorization: `Bearer ${token}` } })).json
  expect(await read()).toEqual({ usdc: '20' })
  expect(await request(market.url, set('0'))).toMatchObject({ status: 200, json: { usdc: '0' } })
  for (const usdc of ['0.01', '20', '1000'])
    expect(await request(market.url, set(usdc))).toMatchObject({ code: 'passkey-needed' })
  for (const usdc of ['-1', 'all', '1e9', 'Infinity']) expect(await request(market.url, set(usdc))).toMatchObject({ status: 422 })
  // A cheap hire now needs the passkey.
  const poem = {
    id: 'poem',
    name: 'Short poem',
    description: 'Writes a short poem',
    price: '0.4',
    requirement: {},
    deliverable: {},
  }
  await market.agent({ handle: 'small-poet', offerings: [poem], handler: async () => 'Frog.' })
  const message = 'I want to hire small-poet to do this task: write a poem Reward: 1 USDC. Please create the job and hire.'
  const told = await say({ path: '/invoke', body: { message, wait_ms: 10_000, conversation_id: 'poem' }, token })
  const { run_id } = z.object({ run_id: z.string() }).parse(told.json)
  const proposal = await until('the proposal', async () => {
    const found = await market.service.world.deps.store.run(run_id)
    return found?.state === 'awaiting-confirmation' && found.proposal
  })
  const yes = { path: `/v1/hires/${run_id}/confirm`, body: { digest: proposal.digest, decision: 'yes', wait_ms: 0 }, token }
  expect(await say(yes)).toMatchObject({ status: 403, code: 'passkey-needed' })
  // A signature for one limit sets no other.
  const answer = person.passkey.sign(await askedBy(market.url, set('5')), 1)
  expect(await request(market.url, { ...set('500'), answer })).toMatchObject({ status: 401, code: 'signature-mismatch' })
  expect(await agree(market.url, set('5'), { passkey: person.passkey, counter: 2 })).toMatchObject({ json: { usdc: '5' } })
  expect(await say(yes)).toMatchObject({ status: 200 })
  const { token: other } = await market.user('walletOnly')
  expect(await request(market.url, { ...set('1'), token: other })).toMatchObject({ status: 422, code: 'method-not-offered' })
})

/** A person whose conversation waits for a yes to a proposal above their limit. */
const withProposal = async (handle: string) => {
  const { deps } = market.service.world
  const poem = { ...{ id: 'poem', name: 'Long poem', description: `Writes a ${handle}` }, price: '2' }
  const offering = { ...poem, requirement: {}, deliverable: {} }
  await market.agent({ handle, offerings: [offering], handler: async () => 'Sing.' })
  const person = createPerson(market.url)
  const { token } = await person.signUp()
  await request(market.url, { method: 'PUT', path: '/v1/yes-limit', body: { usdc: '0' }, token })
  const ask = async (what = 'a poem') => {
    const message = `Hire agent ${handle} to write ${what}`
    const told = await request(market.url, {
      path: '/invoke',
      body: { message, wait_ms: 10_000, conversation_id: handle },
      token,
    })
    const { run_id } = z.object({ run_id: z.string() }).parse(told.json)
    return until('the proposal', async () => {
      const run = await deps.store.run(run_id)
      return run?.state === 'awaiting-confirmation' && run.proposal ? { run_id, digest: run.proposal.digest } : undefined
    })
  }
  const yes = { path: '/invoke', body: { message: 'yes', conversation_id: handle, wait_ms: 0 }, token }
  return { person, token, ask, yes }
}

test('a yes in words that arrives after the terms have changed opens nothing, whatever the passkey signed', async () => {
  const { person, ask, yes } = await withProposal('elegist')
  const first = await ask()
  const answer = person.passkey.sign(await askedBy(market.url, yes), 1)
  const second = await ask('a poem about the sea')
  expect(second.digest).not.toBe(first.digest)
  expect(await request(market.url, { ...yes, answer })).toMatchObject({ status: 401, code: 'signature-mismatch' })
  const { store } = market.service.world.deps
  for (const { run_id } of [first, second]) expect(await store.jobOfRun(run_id)).toBeUndefined()
  expect(await agree(market.url, yes, { passkey: person.passkey, counter: 2 })).toMatchObject({ status: 200 })
  await until('the job', () => store.jobOfRun(second.run_id))
})

test('a yes in words that races with a change of the terms opens what the passkey signed, or nothing', async () => {
  const { store } = market.service.world.deps
  const race = async (round: string) => {
    const { person, ask, yes } = await withProposal(`racer-${round}`)
    const { run_id, digest } = await ask()
    const answer = person.passkey.sign(await askedBy(market.url, yes), 1)
    const [said, other] = await Promise.all([request(market.url, { ...yes, answer }), ask('a poem about the sea')])
    if (said.status === 200) await until('the job', () => store.jobOfRun(run_id))
    return { status: said.status, digest, agreed: await store.consents(run_id), other: await store.consents(other.run_id) }
  }
  for (const { status, digest, agreed, other } of await Promise.all(['a', 'b', 'c'].map(race))) {
    expect([status, agreed]).toEqual(status === 200 ? [200, [digest]] : [401, []])
    expect(other.filter(it => it !== digest)).toEqual([])
  }
})

test('whoever repeats a request that the passkey agreed to gets its first answer, and is asked for nothing', async () => {
  const { person, token, ask, yes } = await withProposal('balladist')
  const mandate = { path: '/v1/mandates', body: budget, token, key: 'mandate' }
  const set = await agree(market.url, mandate, { passkey: person.passkey, counter: 1 })
  expect(set).toMatchObject({ status: 201 })
  expect((await request(market.url, mandate)).json).toEqual(set.json)
  expect(await request(market.url, { ...mandate, body: { ...budget, max_per_period: '6' } })).toMatchObject({ status: 409 })
  const { run_id } = await ask()
  const said = { ...yes, key: 'yes' }
  expect(await agree(market.url, said, { passkey: person.passkey, counter: 2 })).toMatchObject({ json: { run_id } })
  // The next proposal of the conversation wants its own yes.
  await until('the end', async () => (await market.service.world.deps.store.run(run_id))?.state === 'completed')
  await ask()
  expect(await request(market.url, said)).toMatchObject({ status: 200, json: { run_id } })
})

import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../src/cli/client.ts'
import { hex } from '../../src/domain/hex.ts'
import { start } from '../cli/program.ts'
import { ask, eventsOf, freshKey, talk } from '../hire/market.ts'
import { type Brain, candidateWith, startModelServer } from '../hire/modelServer.ts'
import { until } from '../service.ts'
import { custodialKeys, type Row, rowsOf, signaturesOf } from './database.ts'

/** One run of a service with known secrets, and everything that it stored, logged, answered and sent to the model. */
type Life = {
  secrets: Record<string, string>
  log: string
  prompts: string
  answers: string
  /** Every column value of every table. */
  rows: Row[]
  /** The bytes of the database file, including deleted rows. */
  bytes: Buffer
}

/** A model that proposes the clock, and hears no wish. */
const answer: Brain = question =>
  question.kind !== 'turn'
    ? { findings: [], text: '' }
    : {
        words: 'Here you are.',
        calls: [
          {
            ...{ tool: 'propose_hire', language: 'en', candidates: [candidateWith(question, 'City Clock')] },
            ...{ task: 'local time in Tokyo', input: { city: 'Tokyo' } },
          },
        ],
      }

let dir: string
let life: Life
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'canaries-'))
  life = await live(dir)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const live = async (dataDir: string): Promise<Life> => {
  const model = await startModelServer({ answer })
  const masterKey = randomBytes(32).toString('hex')
  const modelKey = `sk-${randomBytes(24).toString('hex')}`
  const { child, ended } = start(['start'], {
    env: {
      ...{ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'debug', MASTER_KEY: masterKey },
      ...{ MODEL: 'scripted', MODEL_BASE_URL: model.baseUrl, MODEL_API_KEY: modelKey },
    },
  })
  const serving = new Promise<string>(resolve =>
    child.stdout?.on('data', words => {
      const [, found] = /identity on (http:\/\/[\w.:]+);/.exec(String(words)) ?? []
      if (found) resolve(found)
    }),
  )
  const url = await Promise.race([serving, ended.then(({ err }) => Promise.reject(new Error(err)))])
  const used = await use(url)
  child.kill('SIGTERM')
  const { out, err } = await ended
  await model.close()
  const file = join(dataDir, 'market.db')
  const keys = await Promise.all(
    (await readdir(join(dataDir, 'agents'))).map(it => readFile(join(dataDir, 'agents', it), 'utf8')),
  )
  const registrations = await Promise.all(
    keys.map(key => privateKeyToAccount(hex.parse(key.trim())).signMessage({ message: 'Create an AIP agent' })),
  )
  return {
    secrets: {
      'the master key': masterKey,
      'the key of the language model': modelKey,
      ...used.secrets,
      ...Object.fromEntries(custodialKeys(file, masterKey).map((key, at) => [`custodial key ${at}`, key])),
      ...Object.fromEntries(registrations.map((it, at) => [`registration signature ${at}`, it])),
      ...Object.fromEntries(keys.map((it, at) => [`key of an owner ${at}`, it.trim()])),
    },
    log: out + err,
    prompts: model.questions.map(it => it.text).join('\n'),
    answers: used.answers,
    rows: rowsOf(file),
    bytes: await readFile(file),
  }
}

/** Signs in, hires, and makes every mistake that sends a secret to the wrong place. */
const use = async (url: string) => {
  const account = privateKeyToAccount(freshKey().privateKey)
  const { address } = account
  const anonymous = createClient({ url })
  const { code } = z.object({ code: z.string() }).parse(await anonymous.post('/v1/init', true))
  const { message } = z.object({ message: z.string() }).parse(await anonymous.get(`/v1/approve?code=${code}&address=${address}`))
  const approval = await account.signMessage({ message })
  const { token } = z
    .object({ token: z.string() })
    .parse(await anonymous.post('/v1/approve', { code, address, signature: approval }))
  const client = createClient({ url, token })
  const user = { client, token, wallet: address, proxy: '' }
  await until('the clock to be found', async () =>
    JSON.stringify(await client.get('/offerings/search?query=local%20time')).includes('city-clock'),
  )
  const { say } = talk(user)
  await say('What time is it in Tokyo?')
  const done = await say('yes')
  expect(done.data).toMatchObject({ state: 'completed', job: { state: 'settled' } })

  const stray = await account.signMessage({ message: 'Create an AIP agent' })
  const wrong = await Promise.all([
    ask({ url }, '/agents/register', { body: { handle: 'x', user_id: address, signature: stray, message: 'Another text' } }),
    ask({ url }, '/agents/register', { body: { handle: '', signature: stray, message: 'Create an AIP agent', token } }),
    ask({ url, token: `${token}x` }, '/v1/wallets/me'),
    ask({ url }, `/runs/${token}`),
    ask({ url }, `/agents/${stray}`),
    ask({ url, token }, '/invoke', { body: { message: 7, signature: stray, authorization: `Bearer ${token}` } }),
    ask({ url }, '/gateway/jobs/complete', { body: { job_id: token, agent_id: stray, result: { response: 'x' } } }),
  ])
  // The text to sign contains the code, and only a caller who has the code gets it.
  await ask({ url }, `/v1/approve?code=${code}&address=${address}`)
  expect(wrong.map(it => it.status).filter(it => it >= 500)).toEqual([])
  const answered = [...wrong, done, await eventsOf(user, done.run_id), await client.get(`/runs/${done.run_id}`)]
  return {
    secrets: {
      'a token': token,
      'the signature of a token': token.split('.')[2] ?? '',
      'a sign-in code': code,
      'a sign-in signature': approval,
      'a stray registration signature': stray,
    },
    answers: JSON.stringify(answered),
  }
}

/** The forms in which a secret could appear: as text in any case, without its prefix, as bytes, in base64. */
const looksOf = (secret: string): Buffer[] => {
  const digits = secret.replace(/^0x/, '')
  const texts = [secret, digits, digits.toUpperCase()]
  if (!/^([0-9a-f]{2})+$/i.test(digits)) return texts.map(it => Buffer.from(it))
  const bytes = Buffer.from(digits, 'hex')
  return [
    ...texts.map(it => Buffer.from(it)),
    bytes,
    ...(['base64', 'base64url'] as const).map(it => Buffer.from(bytes.toString(it))),
  ]
}
const foundIn = (place: Buffer, secrets: Record<string, string>) =>
  Object.entries(secrets).flatMap(([name, secret]) => (looksOf(secret).some(it => place.includes(it)) ? [name] : []))

test('the run produces secrets to find: keys of every wallet, tokens and signatures, and outputs where they could leak', () => {
  const { secrets, log, prompts, rows } = life
  for (const [name, secret] of Object.entries(secrets)) expect(secret.length, name).toBeGreaterThan(20)
  expect(Object.keys(secrets).filter(it => it.startsWith('custodial')).length).toBeGreaterThanOrEqual(5)
  expect(log).toContain('Serving platform')
  expect(prompts).toContain('Tokyo')
  expect(new Set(rows.map(it => it.table)).size).toBeGreaterThan(15)
})

test('a planted secret is found', () => {
  const [[name, secret] = ['', '']] = Object.entries(life.secrets)
  expect(foundIn(Buffer.concat([life.bytes, Buffer.from(`x${secret}x`)]), life.secrets)).toEqual([name])
})

test('no key, token, code or signature appears in a log, an event, an answer or a prompt', () => {
  expect(foundIn(Buffer.from(life.log), life.secrets)).toEqual([])
  expect(foundIn(Buffer.from(life.prompts), life.secrets)).toEqual([])
  expect(foundIn(Buffer.from(life.answers), life.secrets)).toEqual([])
})

test('no key, token, code or signature appears in the database, not even in deleted rows', () => {
  expect(foundIn(life.bytes, life.secrets)).toEqual([])
  for (const { table, column, value } of life.rows) expect(foundIn(value, life.secrets), `${table}.${column}`).toEqual([])
})

test('transaction signatures appear only in the bytes to send and in the call that carries an authorization', () => {
  const signatures = signaturesOf(life.rows)
  expect(Object.keys(signatures).length).toBeGreaterThan(5)
  const carriers = new Set(['chain_transaction.raw', 'intent.call'])
  const elsewhere = life.rows.filter(it => !carriers.has(`${it.table}.${it.column}`))
  for (const { table, column, value } of elsewhere) expect(foundIn(value, signatures), `${table}.${column}`).toEqual([])
  expect(foundIn(Buffer.from(life.log + life.prompts + life.answers), signatures)).toEqual([])
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { parseJson } from '../../src/domain/json.ts'
import { plain, rested, talk } from '../hire/market.ts'
import { startTestService } from '../service.ts'

const line = z.looseObject({
  msg: z.string(),
  request: z.string().optional(),
  run: z.string().optional(),
  job: z.string().optional(),
})

test('at level info a hire is followed by request, run and job ids, and its log has no token, key, signature or text', async () => {
  const lines: string[] = []
  const operatorToken = 'an operator of this market'
  const market = await startTestService({
    env: { LOG_LEVEL: 'info', OPERATOR_TOKEN: operatorToken },
    logTo: { write: text => void lines.push(text) },
  })
  onTestFinished(market.stop)
  const privateKey = generatePrivateKey()
  const offer = { handle: 'poet', offerings: [plain('0.5')], handler: async () => 'An old silent pond' }
  await market.agent({ ...offer, credential: { privateKey } })
  const user = await market.user('ann')
  const chat = talk(user)
  await chat.say('Hire agent poet to write a haiku about my secret garden')
  const { run_id: runId } = await chat.say('yes')
  const run = await rested(user, runId)
  expect(run.job?.state).toBe('settled')
  await fetch(`${market.url}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })
  const asked = await fetch(`${market.url}/v1/status?code=a-code-of-somebody`, { headers: { 'x-request-id': 'of-the-proxy' } })
  expect(asked.status).toBeGreaterThanOrEqual(400)

  const read = lines.map(it => line.parse(parseJson(it)))
  const jobId = run.job?.job_id
  const requests = read.filter(it => it.msg === 'request')
  expect(requests.filter(it => it.path === '/invoke').map(it => it.status)).toEqual([200, 200])
  expect(new Set(requests.map(it => it.request)).size).toBe(requests.length)
  expect(requests.at(-1)).toMatchObject({ path: '/v1/status', request: 'of-the-proxy' })
  const steps = read.filter(it => it.msg === 'run step' && it.run === runId)
  expect(steps.at(-1)).toMatchObject({ to: 'completed', job: jobId })
  const effects = read.filter(it => it.msg === 'chain effect signed' && it.job === jobId)
  expect(effects.map(it => it.purpose)).toEqual(expect.arrayContaining([`job:${jobId}:hire`, `job:${jobId}:complete`]))

  const mined = read.filter(it => it.msg === 'chain effect mined' && it.job === jobId)
  // The feedback may still be on its way.
  const due = effects.map(it => it.purpose).filter(it => !String(it).endsWith(':feedback'))
  expect(mined.map(it => it.purpose)).toEqual(expect.arrayContaining(due))
  expect(mined.every(it => it.success === true && Number(it.block) > 0)).toBe(true)

  const whole = lines.join('')
  const session = await readFile(join(market.dir, 'ann.json'), 'utf8')
  const stored = z.record(z.string(), z.unknown()).parse(parseJson(session))
  const secrets = [
    user.token,
    privateKey,
    operatorToken,
    'a-code-of-somebody',
    'secret garden',
    'silent pond',
    ...Object.values(stored),
  ]
  for (const secret of secrets)
    if (typeof secret === 'string' && secret.length > 12 && secret !== user.wallet) expect(whole).not.toContain(secret)
  // A token has three parts; a key has 64 digits, a signature 130.
  expect(whole).not.toMatch(/eyJ[\w-]+\.[\w-]+\.|[0-9a-f]{64}/)
})

test('a service does not start with a retention that removes texts at once', async () => {
  await expect(startTestService({ env: { RETENTION_DAYS: '0' } })).rejects.toThrow('RETENTION_DAYS')
})

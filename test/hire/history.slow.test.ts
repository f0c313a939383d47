import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { history } from '../../src/domain/runs/history.ts'
import { start } from '../cli/program.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { ask, plain, rested, talk } from './market.ts'
import { candidateWith, startModelServer } from './modelServer.ts'

const task = 'Hire agent keeper to write a haiku'
let server: Awaited<ReturnType<typeof startModelServer>>
let market: TestService
let user: User
beforeAll(async () => {
  server = await startModelServer({
    answer: question =>
      question.kind === 'turn'
        ? {
            words: 'Here is a poet.',
            calls: [
              {
                ...{ tool: 'propose_hire', language: 'en', candidates: [candidateWith(question, 'keeper')], task, input: {} },
                wishes: ['write a haiku'],
              },
            ],
          }
        : { findings: [], text: '' },
  })
  market = await startTestService({
    env: { MODEL_BASE_URL: server.baseUrl, MODEL: 'scripted', MODEL_API_KEY: 'sk-model-key-0001' },
  })
  await market.agent({ handle: 'keeper', offerings: [plain('0.01')], handler: async () => 'An old silent pond' })
  user = await market.user('historian')
})
afterAll(async () => {
  await market?.stop()
  await server?.close()
})

const historyOf = (of: { token?: string }, runId: string) => ask({ url: market.url, ...of }, `/runs/${runId}/history`)

/** A hire up to its end. */
const hire = async (message: string): Promise<string> => {
  const { say } = talk(user)
  const { data } = await say(message)
  await say('yes')
  expect(await rested(user, data.run_id)).toMatchObject({ job: { state: 'settled' } })
  return data.run_id
}

test('a user exports a hire with one command, and its replay without the service makes the same decisions', async () => {
  const runId = await hire(task)
  const file = join(market.dir, 'hire.json')
  const env = { SERVICE_PROXY_AUTH: user.token, SERVICE_ENDPOINT: market.url }
  const { code, out } = await start(['run', 'export', runId, file, '--json'], { env }).ended
  const { steps } = history.parse(JSON.parse(await readFile(file, 'utf8')))
  expect({ code, ...JSON.parse(out.trim().split('\n').at(-1) ?? '') }).toEqual({
    code: 0,
    run_id: runId,
    file,
    steps: steps.length,
  })
  // The second export does not overwrite the first.
  expect((await start(['run', 'export', runId, file], { env }).ended).code).toBe(1)
  // The model is gone, and nothing of the service is in the environment.
  const replay = promisify(execFile)(process.execPath, ['graphs/replay.ts', file], {
    cwd: join(import.meta.dirname, '../..'),
    env: {},
  })
  expect((await replay).stdout).toBe(`Same decisions in ${steps.length} steps.\n`)
  const ports = steps.flatMap(it => it.calls.map(call => call.port))
  expect(ports).toEqual(expect.arrayContaining(['now', 'findListings', 'model.turn', 'openJob', 'acceptDeliverable']))
})

test('a history has the questions to the model as they were sent and its answers, and no secret', async () => {
  const secrets = {
    token: `eyJ${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(20)}`,
    key: `0x${'5e'.repeat(32)}`,
    model: `sk-${'d'.repeat(30)}`,
  }
  const runId = await hire(`${task}. My keys are ${secrets.token} and ${secrets.key} and ${secrets.model}`)
  const { body } = await historyOf(user, runId)
  const { steps } = history.parse(body)
  const exchanges = steps.flatMap(it => it.calls.flatMap(call => call.exchanges ?? []))
  const read = exchanges.find(it => it.answer.includes('propose_hire'))
  expect(read?.prompt).toContain(task)
  expect(read?.instructions.length).toBeGreaterThan(100)
  expect(exchanges.some(it => it.answer.includes('write a haiku'))).toBe(true)
  expect(steps[0]).toMatchObject({ node: 'understand', model: 'openai-compatible:scripted' })
  const all = JSON.stringify(body)
  for (const it of [...Object.values(secrets), 'sk-model-key-0001', user.token]) expect(all).not.toContain(it)
  expect(all).not.toContain('5e'.repeat(8))
})

test('the history of a run is for its user alone', async () => {
  const { data } = await talk(user).say(task)
  const other = await market.user('stranger')
  expect(await historyOf(user, data.run_id)).toMatchObject({ status: 200 })
  expect(await historyOf(other, data.run_id)).toMatchObject({ status: 404, code: 'run-not-found' })
  expect((await historyOf({}, data.run_id)).status).toBe(401)
  expect(await historyOf(user, 'run_unknown')).toMatchObject({ status: 404, code: 'run-not-found' })
})

test('one setting switches histories off, and hires work the same', async () => {
  await market.restart({ runHistory: false })
  expect(await historyOf(user, await hire(task))).toMatchObject({ status: 404, code: 'not-found' })
  await market.restart()
  expect(await historyOf(user, await hire(task))).toMatchObject({ status: 200 })
})

import { expect, test } from 'vitest'
import { echo, platformOfTest, run } from './agents.ts'
import { agentId, type Received } from './platform.ts'

const complete = '/gateway/jobs/complete'
const of = (completions: Received[], jobId: string) => completions.filter(it => it.body.job_id === jobId)

test('a job is worked on and delivered once, with the exact text of the handler', async () => {
  const platform = await platformOfTest()
  platform.queue('job_1', '{"text":"Grüße\\u2028"}')
  platform.queue('job_2', 'second')
  await run(echo(platform.url))

  const completions = await platform.told(complete, 2)
  expect(completions).toHaveLength(2)
  const [first] = of(completions, 'job_1')
  expect(first?.body).toEqual({
    job_id: 'job_1',
    agent_id: agentId,
    status: 'completed',
    result: {
      response: 'again: {"text":"Grüße\\u2028"}',
      task: { kind: 'task', id: 'job_1', contextId: 'job_1', status: { state: 'completed' }, history: [] },
    },
    chain_id: 97,
  })
  await platform.polledBy(agentId)
  expect(of(await platform.told(complete), 'job_1')).toHaveLength(1)
})

test('a handler that returns an object delivers its JSON text', async () => {
  const platform = await platformOfTest()
  platform.queue('job_1', 'x')
  await run({ ...echo(platform.url), handler: async () => ({ answer: [1, 'two'] }) })
  const [completion] = await platform.told(complete)
  expect(completion?.body).toMatchObject({ result: { response: '{"answer":[1,"two"]}' } })
})

test('a handler that throws is reported as failed, and the next job is worked on', async () => {
  const platform = await platformOfTest()
  platform.queue('job_bad', 'bad')
  platform.queue('job_good', 'good')
  const handler = ({ text }: { text: string }) => {
    if (text === 'bad') throw new Error('cannot do this')
    return text
  }
  await run({ ...echo(platform.url), handler })

  const completions = await platform.told(complete, 2)
  expect(of(completions, 'job_bad')[0]?.body).toEqual({
    job_id: 'job_bad',
    agent_id: agentId,
    status: 'failed',
    error: 'cannot do this',
    result: {},
    chain_id: 97,
  })
  expect(of(completions, 'job_good')[0]?.body.status).toBe('completed')
})

test('a deliverable that the gateway fails to accept twice is sent a third time, and the work is done once', async () => {
  const platform = await platformOfTest()
  platform.failures.complete = 2
  platform.queue('job_1', 'hello')
  let worked = 0
  await run({ ...echo(platform.url), handler: ({ text }) => `${text} ${++worked}` })

  const completions = await platform.told(complete, 3)
  expect(completions.map(it => it.body.result)).toEqual(Array(3).fill(completions[0]?.body.result))
  expect(completions[2]?.body).toMatchObject({ status: 'completed', result: { response: 'hello 1' } })
})

test('a job offered again while its deliverable waits to be accepted is not worked on again', async () => {
  const platform = await platformOfTest()
  platform.failures.complete = 1
  platform.queue('job_1', 'hello')
  platform.queue('job_1', 'hello')
  platform.queue('job_2', 'other')
  const done: string[] = []
  const handler = ({ text }: { text: string }) => {
    done.push(text)
    return text
  }
  await run({ ...echo(platform.url), handler, retryPauseMs: 50 })

  await platform.told(complete, 3)
  expect(done).toEqual(['hello', 'other'])
})

test('a stopped agent polls no more', async () => {
  const platform = await platformOfTest()
  const running = await run(echo(platform.url))
  await platform.polledBy(agentId)
  await running.stop()

  // Ten requests of the test, which arrive after all earlier requests of the agent.
  const asked = async () => {
    for (let turn = 0; turn < 10; turn++) await fetch(`${platform.url}/gateway/jobs/poll`)
    return platform.polls.filter(it => it === agentId).length
  }
  expect(await asked()).toBe(await asked())
  await expect(fetch(running.url)).rejects.toThrow()
})

test('stopping does not wait for a handler that never ends', async () => {
  const platform = await platformOfTest()
  platform.queue('job_1', 'hello')
  const begun = Promise.withResolvers<void>()
  const handler = () => {
    begun.resolve()
    return new Promise<string>(() => undefined)
  }
  const running = await run({ ...echo(platform.url), handler })
  await begun.promise
  await running.stop()
})

test('a deliverable that the gateway refuses for good is sent once', async () => {
  const platform = await platformOfTest()
  platform.failures.complete = 1
  platform.failures.status = 409
  platform.queue('job_1', 'hello')
  platform.queue('job_2', 'hello')
  const lines: string[] = []
  await run({ ...echo(platform.url), log: line => lines.push(line) })
  const completions = await platform.told(complete, 2)
  expect(completions.map(it => it.body.job_id)).toEqual(['job_1', 'job_2'])
  expect(lines).toContain('job job_1 refused')
})

test('faults of a returned deliverable reach the handler, by poll and by call, and other shapes do not', async () => {
  const platform = await platformOfTest()
  const revision = { attempt: 2, failed: [{ id: 'wish-1', words: 'rhymes', evidence: 'no two lines do' }] }
  platform.queue('job_back', 'poem', { revision })
  platform.queue('job_odd', 'poem', { revision: 'again' })
  const { url } = await run({ ...echo(platform.url), handler: ({ revision: found }) => found?.failed[0]?.evidence ?? 'first' })
  const completions = await platform.told(complete, 2)
  expect(of(completions, 'job_back')[0]?.body).toMatchObject({ result: { response: 'no two lines do' } })
  expect(of(completions, 'job_odd')[0]?.body).toMatchObject({ result: { response: 'first' } })
  const body = JSON.stringify({ message: 'poem', context: { run_id: 'run_1', revision } })
  const called = await fetch(`${url}/invoke`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  expect(await called.json()).toMatchObject({ content: 'no two lines do' })
})

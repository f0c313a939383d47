import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, until } from '../service.ts'
import { plain, provider, readRun, talk } from './market.ts'

let market: TestService
const clock = {
  ...{ id: 'time', name: 'Local time', description: 'Tells what time it is in a city.', price: '0.02' },
  requirement: { type: 'object', required: ['city'], properties: { city: { type: 'string', description: 'The city' } } },
}
const digest = {
  ...{ id: 'sum', name: 'Summary of a text', description: 'Makes a summary of a text.', price: '0.03' },
  requirement: {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string', description: 'The text to summarize' } },
  },
}
beforeAll(async () => {
  market = await startTestService()
  await provider(market, clock, 'clock')
  await provider(market, digest, 'brief')
  await provider(market, plain('0.5'), 'poet')
})
afterAll(() => market?.stop())

const fresh = async () => talk(await market.user(`user-${randomUUID()}`))

test('words of somebody in danger are answered with care, are never left out, and the task beside them is proposed', async () => {
  for (const words of [
    'I want to die, what is the time in London',
    'What is the time in London? I want to kill myself.',
    "I can't go on anymore. What is the time in London?",
    'I am suicidal and what is the time in London',
  ]) {
    const { content, data } = await (await fresh()).say(words)
    expect([words, content]).toEqual([words, expect.stringContaining('findahelpline.com')])
    expect([words, data.proposal?.left_out, data.proposal?.offeringName]).toEqual([words, [], 'Local time'])
  }
  for (const words of [
    'I want to die',
    "I don't want to live anymore",
    'i wish i was dead.',
    'Best way to kill myself painlessly',
  ])
    expect((await (await fresh()).say(words)).content).toMatch(/^I am a program and cannot help with this, but people can\./)
  const { say } = await fresh()
  await say('What is the time in London?')
  expect(await say('I want to die')).toMatchObject({
    content: expect.stringContaining('findahelpline.com'),
    data: { state: 'awaiting-confirmation' },
  })
})

test('a reproach, and a question about a card or data of the user, is answered by the service and never searched', async () => {
  const told: [RegExp, string[]][] = [
    [/^I am sorry/, ['this is a scam, you stole my money!', 'You are thieves', 'you robbed me', "it's a total rip-off"]],
    [/^No\. I have no card/, ['are you going to charge my card?', 'will you bill my credit card', 'do you store my card?']],
    [/^I cannot delete it/, ['delete my data', 'please erase all my personal data', 'can you delete my account?']],
  ]
  for (const [answer, all] of told)
    for (const words of all) {
      const { content, data } = await (await fresh()).say(words)
      expect([words, data.proposal, content]).toEqual([words, undefined, expect.stringMatching(answer)])
    }
})

test('what stands in the input word for word is not said to be left out', async () => {
  const { say } = await fresh()
  await say('make me a summary')
  const { data } = await say('The fox ran. The dog slept.')
  expect([data.proposal?.input, data.proposal?.left_out]).toEqual([expect.stringContaining('The fox ran. The dog slept.'), []])
})

test('a job of an agent that never polled is not said to be with the agent', async () => {
  const user = await market.user('waiting')
  const { say } = talk(user)
  await say('What is the time in London?')
  const { run_id } = await say('yes', 0)
  const run = await until('the job', async () => {
    const now = await readRun(user, run_id)
    return now.job && now.state === 'awaiting-job' ? now : undefined
  })
  expect(run.content).toBe('The job is open: its agent has it, or gets it at its next poll.')
})

test('a limit above the most is told as a number, not as a length', async () => {
  const response = await fetch(`${market.url}/tasks?limit=501`)
  expect(await response.json()).toMatchObject({ status: 422, detail: expect.stringMatching(/limit must be at most 500/) })
})

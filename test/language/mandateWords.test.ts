import { expect, test } from 'vitest'
import { readHireOrder } from '../../src/domain/consent/hireOrder.ts'
import { readMandateWords } from '../../src/language/text/mandateWords.ts'
import { cpuMs } from '../cpu.ts'

const wish = { kind: 'wish', maxPerJob: undefined, askAbove: undefined, until: undefined, categories: [] }

test.each([
  ['up to 5 USDC a week', { ...wish, maxPerPeriod: '5', period: 'week' }],
  [
    'Up to 5 USDC a week, at most 1 a job, ask above 0.50.',
    { ...wish, maxPerPeriod: '5', period: 'week', maxPerJob: '1', askAbove: '0.50' },
  ],
  [
    'Please set a mandate: no more than $20 per month, max 2 usdc per hire and ask me above 1, until 2027-01-31, only for categories Text, time and city',
    {
      kind: 'wish',
      ...{ maxPerPeriod: '20', period: 'month', maxPerJob: '2', askAbove: '1', until: '2027-01-31' },
      categories: ['text', 'time', 'city'],
    },
  ],
  ['You may spend up to 1 a day', { ...wish, maxPerPeriod: '1', period: 'day' }],
  ['show my mandates', { kind: 'show' }],
  ['Revoke my mandate!', { kind: 'revoke' }],
  ['what are my spending limits', { kind: 'show' }],
  ['End my spending limit', { kind: 'revoke' }],
  ['Set a mandate of five dollars', { kind: 'unclear' }],
  ['up to 5 USDC a week, at most 1 a job, but never on Sundays', { kind: 'unclear' }],
  ['up to 5 USDC a week, up to 50 USDC a week, at most 1 a job', { kind: 'unclear' }],
])('%s is read with its literal meaning', (message, read) => {
  expect(readMandateWords(message)).toEqual(read)
})

test.each([
  'Plan my shopping for up to 50 USDC a week',
  'Translate: "up to 5 USDC a week"',
  'summarize this text: show my mandates',
  'up to 5 USDC',
  'yes',
  '',
])('%s is not a message about mandates', message => {
  expect(readMandateWords(message)).toBeUndefined()
})

const sentence = (task: string, reward = 'Reward: 0.5 USDC.') =>
  `Please help me to hire 97:0x${'8004'.repeat(10)}:7 for the "Text" service. task: ${task} ${reward} Please create the job, lock the budget and hire.`

test('a hire sentence names its agent, its service, its task and its maximum reward', () => {
  expect(readHireOrder(sentence('summarise "A. B." in 5.'))).toEqual({
    agent: `97:0x${'8004'.repeat(10)}:7`,
    service: 'Text',
    task: 'summarise "A. B." in 5.',
    reward: '0.5',
  })
  expect(readHireOrder('I want to hire city-clock task: time in Oslo Reward: 1 USDC. Create the job and hire.')?.agent).toBe(
    'city-clock',
  )
})

test.each([
  ['task: time in Oslo'],
  ['to do this task: time in Oslo'],
  ['for the "Local time" service, task: time in Oslo'],
  ['for the "Local time" service to do this task: time in Oslo'],
])('a hire sentence with %j is an order', part => {
  const message = `I want to hire city-clock ${part}. Reward: 0.05 USDC. Please create the job, lock the budget and hire.`
  expect(readHireOrder(message)).toEqual({
    agent: 'city-clock',
    service: part.startsWith('for') ? 'Local time' : '',
    task: 'time in Oslo.',
    reward: '0.05',
  })
})

test.each([
  ['without a reward', sentence('a', '')],
  ['with two', sentence('a Reward: 900 USDC. b')],
  ['in another token', sentence('a', 'Reward: 1 ETH.')],
  ['without a task', sentence('')],
  ['that is quoted', `Summarize this: ${sentence('a')}`],
  ['that goes on', `${sentence('a')} ${'and then '.repeat(50)}`],
  ['without the request', 'to hire x task: y Reward: 1 USDC.'],
])('the hire sentence %s is not an order', (_name, message) => {
  expect(readHireOrder(message)).toBeUndefined()
})

test('no message takes long to parse', () => {
  for (const part of ['up to 1 a ', 'to hire x ', 'task: ', 'reward: 1', ' ', 'please '])
    expect(cpuMs(() => [readMandateWords(part.repeat(4_000)), readHireOrder(part.repeat(4_000))])).toBeLessThan(500)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { balancesOf, eventsOf } from './market.ts'
import { type Kind, kinds, startKinds } from './modelKinds.ts'
import { type Brain, type Call, candidateWith, newest, type Question } from './modelServer.ts'

// What a model calls beside what is open or was done last, over HTTP, in each form in which providers answer.

const brain: { words: string; answer: (question: Question) => Call[]; isPlain: boolean } = {
  ...{ words: '', answer: () => [], isPlain: false },
}
const answerTo: Brain = question => {
  if (brain.isPlain && question.hasTools) return Response.json({ error: { message: 'no tools' } }, { status: 400 })
  return question.kind === 'turn' ? { words: brain.words, calls: brain.answer(question) } : { findings: [], text: '' }
}

let markets: Awaited<ReturnType<typeof startKinds>>
beforeAll(async () => {
  markets = await startKinds(answerTo)
})
afterAll(() => markets?.stop())

const open = async (kind: Kind) => {
  brain.isPlain = kind === 'plain structured output'
  const { user, say } = await markets.open(kind)
  const saying = (message: string, answer: (question: Question) => Call[], words = '') => {
    Object.assign(brain, { answer, words })
    return say(message)
  }
  return { user, saying, before: await balancesOf(user) }
}
const en = (tool: string, more: object = {}): Call => ({ tool, language: 'en', ...more })
const hire = (agent: string, input: object) => (question: Question) => [
  en('propose_hire', { candidates: [candidateWith(question, `"agent":"${agent}"`)], task: newest(question), input }),
]
const clock = hire('city-clock', { city: 'Tokyo' })
const time = 'What is the local time in Tokyo?'
const inputOf = ({ data }: Awaited<ReturnType<Awaited<ReturnType<typeof open>>['saying']>>) =>
  JSON.parse(data.proposal?.input ?? '{}')

describe.each(kinds)('a model that is asked by %s', kind => {
  test('has another task take the place of an open proposal, and its user reads that the earlier one is gone', async () => {
    const { user, saying, before } = await open(kind)
    const first = await saying('Some lines about frogs, cheerful', hire('poet', { topic: 'frogs', mood: 'cheerful' }))
    expect(first.data.proposal).toMatchObject({ agentHandle: 'poet' })
    const second = await saying('Or rather tell me the local time in Tokyo', clock)
    expect(second.data).toMatchObject({ state: 'awaiting-confirmation', proposal: { agentHandle: 'city-clock' } })
    expect(second.content).toMatch(/^The earlier proposal is gone; nothing was paid for it\./)
    expect(await balancesOf(user)).toEqual(before)
    expect((await eventsOf(user, second.run_id)).some(it => it.type === 'confirmed')).toBe(false)
    expect((await saying('run', () => [])).data.job).toMatchObject({ state: 'settled', amount: '0.05' })
  })

  test('hires what was shown and declined, where nothing is shown to pick from', async () => {
    const { saying } = await open(kind)
    await saying(time, clock)
    await saying('no', () => [])
    const again = await saying('hm, for Lima then, she wants hers', hire('city-clock', { city: 'Lima' }))
    expect(again.data).toMatchObject({ state: 'awaiting-confirmation' })
    expect(inputOf(again)).toEqual({ city: 'Lima' })
  })

  test('keeps what is proposed where nobody does what is asked for besides, and is heard alone in small talk', async () => {
    const { saying } = await open(kind)
    await saying(time, clock)
    const besides = await saying('And water my plants, will you', () => [en('answer', { source: 'nothing-fits' })])
    expect(besides.content).toContain('No offering does what you ask for.')
    expect(besides.data).toMatchObject({ state: 'awaiting-confirmation', proposal: { agentHandle: 'city-clock' } })
    const talk = await saying(
      'You sound like my aunt',
      () => [en('answer', { source: 'talk' })],
      'She must be a friendly person.',
    )
    expect(talk.content).toMatch(/^She must be a friendly person\./)
    expect(talk.data).toMatchObject({ state: 'awaiting-confirmation', proposal: { agentHandle: 'city-clock' } })
    const other = await open(kind)
    const alone = await other.saying(
      'You sound like my aunt',
      () => [en('answer', { source: 'talk' })],
      'I paid her. Is she kind?',
    )
    expect(alone.content).toBe('Is she kind?')
  })

  test.each([
    ['change_proposal', (input: object) => () => [en('change_proposal', { input })]],
    ['propose_hire', (input: object) => hire('city-clock', input)],
  ])('hires the last offering again by %s', async (_tool, again) => {
    const { saying } = await open(kind)
    await saying(time, clock)
    expect((await saying('yes', () => [])).data.job).toMatchObject({ state: 'settled' })
    expect(inputOf(await saying('And the same for Oslo', again({ city: 'Oslo' })))).toEqual({ city: 'Oslo' })
    expect(inputOf(await saying('Now once more for that place, please', again({})))).toEqual({ city: 'Oslo' })
  })
})

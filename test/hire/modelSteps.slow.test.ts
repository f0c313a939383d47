import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { balancesOf } from './market.ts'
import { type Kind, kinds, startKinds } from './modelKinds.ts'
import { type Brain, type Call, candidateWith, type Question, under } from './modelServer.ts'

// What a model reads of plans, of conditions and of decisions put off, over HTTP, in each form in which providers answer.

const brain: { answer: (question: Question) => Call[]; isPlain: boolean } = { answer: () => [], isPlain: false }
const marked = (text: string) => text.replace(/[^\n]+/g, 'Auf Deutsch: $&')
/** Refuses tools where none are to be used. Translations keep their marks. */
const answerTo: Brain = question => {
  if (brain.isPlain && question.hasTools) return Response.json({ error: { message: 'no tools' } }, { status: 400 })
  if (question.kind === 'phrase') return { text: marked(String(under(question, 'Text'))) }
  return question.kind === 'turn' ? { words: '', calls: brain.answer(question) } : { findings: [] }
}

let markets: Awaited<ReturnType<typeof startKinds>>
beforeAll(async () => {
  markets = await startKinds(answerTo)
})
afterAll(() => markets?.stop())

const open = async (kind: Kind) => {
  brain.isPlain = kind === 'plain structured output'
  const { user, say } = await markets.open(kind)
  const saying = (message: string, answer: (question: Question) => Call[]) => {
    brain.answer = answer
    return say(message)
  }
  return { user, saying, before: await balancesOf(user) }
}
const de = (tool: string, more: object = {}): Call => ({ tool, language: 'de', ...more })
const at = (question: Question, agent: string) => candidateWith(question, `"agent":"${agent}"`)
const time = 'sag mir die Uhrzeit in Tokyo'
const haiku = 'dichte etwas Heiteres über Frösche'
const inputsOf = (plan?: { steps: { input: string }[] }) => plan?.steps.map(it => JSON.parse(it.input))
const lastTurn = () => markets.server.questions.findLast(it => it.kind === 'turn')?.text ?? ''

/** A plan of two tasks in German, for which the market is searched in English first. */
const plan = (question: Question): Call[] => {
  if (!question.text.includes('You looked up'))
    return ['Tell the local time', 'Write a haiku'].map(query => de('search_offerings', { query }))
  return [
    de('propose_hire', { candidates: [at(question, 'city-clock')], task: time, input: { city: 'Tokyo' } }),
    de('propose_hire', {
      ...{ candidates: [at(question, 'poet')], task: haiku, input: { topic: 'Frösche' } },
      ask: { mood: 'Welche Stimmung?' },
    }),
  ]
}

describe.each(kinds)('a model that is asked by %s', kind => {
  test('reads the inputs of each task of a plan, changes one step by its number, and leaves one out', async () => {
    const { user, saying, before } = await open(kind)
    const asked = await saying(`Bitte zwei Sachen: ${time} und ${haiku}`, plan)
    expect(asked.data.state).toBe('awaiting-input')
    expect(asked.content).toContain('Welche Stimmung?')
    expect(lastTurn()).toMatch(/"query":"Write a haiku","found":"Candidates [\d, ]+\. New: \d/)
    const answered = await saying('Heiter soll er sein, der Zweite', () => [
      de('change_proposal', { step: 2, input: { mood: 'heiter' } }),
    ])
    expect(inputsOf(answered.data.plan)).toEqual([{ city: 'Tokyo' }, { topic: 'Frösche', mood: 'heiter' }])
    const changed = await saying('Beim zweiten doch lieber Teiche', () => [
      de('change_proposal', { step: 2, input: { topic: 'Teiche' } }),
    ])
    expect(lastTurn()).toMatch(/Steps of the open plan:\n\{"step":1,.*\n\{"step":2,"name":"Haiku about a topic"/)
    expect(inputsOf(changed.data.plan)).toEqual([{ city: 'Tokyo' }, { topic: 'Teiche', mood: 'heiter' }])
    const left = await saying('Die Uhrzeit brauche ich doch nicht', () => [de('change_proposal', { step: 1, leave_out: true })])
    expect(left.data.proposal).toMatchObject({ agentHandle: 'poet', input: '{"topic":"Teiche","mood":"heiter"}' })
    expect(await balancesOf(user)).toEqual(before)
  })

  test('agrees on a condition to nothing: a condition that is met is asked about, and one that is not keeps the offer', async () => {
    const { user, saying, before } = await open(kind)
    const search = de('search_offerings', { query: 'Tell the local time' })
    const proposed = await saying(`Bitte ${time}`, question =>
      at(question, 'city-clock') < 0
        ? [search]
        : [de('propose_hire', { candidates: [at(question, 'city-clock')], task: time, input: { city: 'Tokyo' } })],
    )
    expect(proposed.data.proposal).toMatchObject({ total: '0.05' })
    const agrees = (max_price: string) => () => [de('agree_or_decline', { source: 'agrees', limits: { max_price } })]
    const met = await saying('Ja, solange es unter 3 USDC bleibt', agrees('3'))
    expect(met.content).toMatch(/^Soll ich City Clock für 0\.05 USDC beauftragen\?/)
    const later = await saying('Lass mich darüber schlafen', () => [de('agree_or_decline', { source: 'later' })])
    expect(later.content).toMatch(/Take your time: the proposal is open until/)
    const long = await saying('Dauert das lange?', () => [de('answer', { source: 'open', topic: 'time' })])
    expect(long.content).toMatch(/It takes up to 1 minute/)
    const unmet = await saying('Ja, solange es unter 0.01 USDC bleibt', agrees('0.01'))
    expect(unmet.data).toMatchObject({ state: 'awaiting-confirmation', proposal: { total: '0.05' } })
    for (const it of [met, later, long, unmet]) expect(it.data.job).toBeUndefined()
    expect(await balancesOf(user)).toEqual(before)
    expect((await saying('ja', () => [])).data.job).toBeDefined()
  })

  test('asks in its own words for what it can, and in those of code for the rest; what is open is asked for without a candidate', async () => {
    const { saying } = await open(kind)
    const search = de('search_offerings', { query: 'Write a haiku' })
    const asked = await saying(`Bitte dichte etwas`, question =>
      at(question, 'poet') < 0
        ? [search]
        : [
            de('propose_hire', {
              ...{ candidates: [at(question, 'poet')], task: 'dichte etwas', input: {} },
              ask: { mood: 'Sind 3 USDC recht?', topic: 'Worüber?' },
            }),
          ],
    )
    expect(asked.content).toContain('Worüber?')
    expect(asked.content).toContain('Welchen Wert soll „mood“ haben?')
    expect(asked.content).not.toContain('3 USDC recht')
    const more = await saying('Über Frösche natürlich', () => [
      de('change_proposal', { input: { topic: 'Frösche' }, ask: { mood: 'In welcher Stimmung?' } }),
    ])
    expect(more.data).toMatchObject({ act: 'answer', state: 'awaiting-input' })
    expect(more.content).toContain('In welcher Stimmung?')
    expect(lastTurn()).toContain('"language":"code of a language: ISO code"')
  })
})

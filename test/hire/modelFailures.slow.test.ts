import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { balancesOf, eventsOf } from './market.ts'
import { kinds, startKinds } from './modelKinds.ts'
import { type Call, candidateWith, newest, type Question } from './modelServer.ts'
import { cutAt, dripped, responses, streamed } from './modelStream.ts'

// A provider that fails in every way, in each form in which providers answer: each turn ends with a clear answer in its time.

const state = { fail: (_: Question): Promise<Response> | Response | undefined => undefined, isPlain: false }
let markets: Awaited<ReturnType<typeof startKinds>>
beforeAll(async () => {
  const refused = () => Response.json({ error: { message: 'no tools' } }, { status: 400 })
  markets = await startKinds(question => (state.isPlain && question.hasTools ? refused() : state.fail(question)), {
    MODEL_SECONDS: '3',
    MODEL_FIRST_TOKEN_SECONDS: '1',
  })
})
afterAll(() => markets?.stop())

/** The answer of a provider in the form that it was asked for. */
const answered = ({ hasTools, isResponses }: Question, calls: Call[], words = 'Here is somebody for it. '): Response => {
  if (isResponses) return responses({ content: words, calls })
  return hasTools ? streamed({ content: words, calls }) : streamed({ content: JSON.stringify({ words, calls }), calls: [] })
}
const hire = (question: Question): Call => ({
  ...{ tool: 'propose_hire', language: 'en', candidates: [candidateWith(question, 'city-clock')] },
  ...{ task: newest(question), input: { city: 'Tokyo' } },
})
const deed = (tool: string, more: object = {}): Call => ({ tool, language: 'en', ...more })
const whole = (question: Question) => answered(question, [hire(question)], 'Here is somebody for it. '.repeat(9))

/** Each has the answer, and whether the rules take the turn over. */
const failures: Record<string, [fail: (question: Question) => Promise<Response> | Response, isRules?: boolean]> = {
  'answers nonsense': [it => answered(it, [], 'Blue ideas sleep furiously.'), true],
  'answers nothing': [it => answered(it, [], ''), true],
  'answers an empty body': [() => new Response(''), true],
  'answers HTML': [() => new Response('<html>busy</html>', { headers: { 'content-type': 'text/html' } }), true],
  'does not begin': [() => new Promise<Response>(() => undefined), true],
  'is slower than the time of a turn': [it => dripped(whole(it), 400), true],
  'cuts its stream halfway': [it => cutAt(whole(it), 0.5, 'torn'), true],
  'ends its stream halfway': [it => cutAt(whole(it), 0.5, 'whole'), true],
  'stops its stream halfway': [it => cutAt(whole(it), 0.5, 'open'), true],
  'calls a tool that does not exist': [it => answered(it, [deed('wire_money', { amount: '9999' })]), true],
  'calls a tool with half of its JSON': [
    async it => {
      const text = await whole(it).text()
      // In each form, the arguments of the call lose their second half, and the answer around them stays whole.
      const body = text.replaceAll(/\\?"input\\?".*?(?=\\?"city)/g, '').replaceAll(/city\\*":\\*"Tokyo\\*"\}+/g, 'ci')
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    true,
  ],
  'calls the same tool twice at once': [it => answered(it, [hire(it), hire(it)])],
  'hires and cancels at once': [it => answered(it, [hire(it), deed('cancel')])],
  'agrees and hires at once': [it => answered(it, [deed('agree_or_decline', { source: 'agrees' }), hire(it)])],
  'calls a tool that there is and one that there is not': [it => answered(it, [deed('wire_money'), hire(it)])],
  'calls without any argument': [it => answered(it, [{ tool: 'propose_hire' }])],
  'gives all its calls one id': [
    async it => {
      const text = await answered(it, [hire(it), deed('cancel')]).text()
      const body = text.replaceAll('call_1', 'call_0').replaceAll('"c1"', '"c0"')
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  ],
  'points at candidates that there are not': [it => answered(it, [{ ...hire(it), candidates: [99, -1] }])],
  'calls a tool with a megabyte of arguments': [
    it => answered(it, [{ ...hire(it), input: { city: 'Tokyo', note: 'x'.repeat(1e6) }, wishes: ['y'.repeat(1e5)] }]),
  ],
  'talks without end': [it => answered(it, [hire(it)], 'La la la. '.repeat(10_000)), true],
  'calls two thousand tools': [
    it =>
      answered(
        it,
        Array.from({ length: 2_000 }, () => hire(it)),
      ),
  ],
}

describe.each(kinds)('a model that is asked by %s', kind => {
  test.each(Object.entries(failures))('and %s costs the user nothing: the turn ends with a clear proposal', async (_name, of) => {
    const [fail, isRules] = of
    const { user, say } = await markets.open(kind)
    state.isPlain = kind === 'plain structured output'
    state.fail = fail
    const before = await balancesOf(user)
    const { success, content, data, run_id } = await say('What is the local time in Tokyo?')
    expect({ success, ...data }).toMatchObject({
      ...{ success: true, act: 'task', state: 'awaiting-confirmation' },
      proposal: { agentHandle: 'city-clock', input: '{"city":"Tokyo"}', total: '0.05' },
    })
    expect(content).not.toMatch(/wire_money|9999|furiously|error|language model|<html|[{}]/i)
    expect(data.job).toBeUndefined()
    expect(await balancesOf(user)).toEqual(before)
    const events = await eventsOf(user, run_id)
    expect(events.some(it => it.type === 'confirmed')).toBe(false)
    if (isRules) expect(events.find(it => it.type === 'understood')?.data).toMatchObject({ model: 'rules' })
    expect((await say('yes please')).data.job).toBeDefined()
  })
})

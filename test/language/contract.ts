import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import type { ListingView, Model } from '../../src/ports.ts'

/** A typical search score of a listing that contains all words of the request. */
const foundShare = 0.3

const view = (name: string, coverage: number, description = name): ListingView => ({
  name,
  description,
  price: '0.1',
  slaMinutes: 5,
  coverage,
  score: coverage * foundShare,
})

const inputs = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
})

/** What the butler may rely on without a language model. */
export const modelContract = (name: string, model: Model) =>
  describe(`the model contract: ${name}`, () => {
    const text = { type: 'string', description: 'The text to summarize' }

    test('the limit that the user stated is separated from the text of the task', async () => {
      const read = await model.understand("What's the weather in Lisbon for at most 0.5 USDC?")
      expect(read).toEqual({ intent: 'task', task: "What's the weather in Lisbon?", maxPrice: '0.5', agent: undefined })
    })

    test('a task has neither a limit nor an agent when the user named none', async () => {
      expect(await model.understand('Summarise a text')).toMatchObject({
        intent: 'task',
        maxPrice: undefined,
        agent: undefined,
      })
    })

    test('an agent that the user named is returned by that name', async () => {
      expect((await model.understand('Use @tokyo-clock to tell the time in Tokyo')).agent).toBe('tokyo-clock')
    })

    test('words that name no work are no task', async () => {
      expect(await model.understand('what can you do for me?')).toMatchObject({ intent: 'help', task: '' })
    })

    test('the listing that does the task is chosen by its index', async () => {
      const listings = [view('Text summary', 0), view('Weather in any city', 1)]
      const { picks, reason } = await model.choose({ task: 'weather in a city', listings })
      expect(picks).toEqual([1])
      expect(reason).not.toBe('')
    })

    test('no listing is chosen when none fits, with the reason', async () => {
      const listings = [view('Text summary', 0), view('World clock', 0)]
      const { decision, picks, reason } = await model.choose({ task: 'book me a flight to Mars', listings })
      expect({ decision, picks }).toEqual({ decision: 'none', picks: [] })
      expect(reason).not.toBe('')
    })

    test('an empty market leads to no choice', async () => {
      expect((await model.choose({ task: 'anything', listings: [] })).picks).toEqual([])
    })

    test('inputs are taken from the words of the user', async () => {
      const requirement = inputs({ text, max_bullets: { type: 'integer', minimum: 1 } }, ['text'])
      const filled = await model.fill({ said: ['Summarise this in 3 bullets: The quick brown fox.'], requirement })
      expect(filled).toEqual({ text: 'The quick brown fox.', max_bullets: 3 })
    })

    test('an input that was not given is absent', async () => {
      expect(await model.fill({ said: ['Summarise a text for me'], requirement: inputs({ text }) })).toEqual({})
    })

    test('the answer to a question for a missing input becomes that input', async () => {
      const requirement = inputs({ city: { type: 'string', description: 'City' } })
      expect(await model.fill({ said: ['What time is it?', 'Tokyo'], requirement })).toEqual({ city: 'Tokyo' })
    })

    test('values that the schema does not allow and unknown properties are never returned', async () => {
      const requirement = inputs({
        tone: { type: 'string', enum: ['formal', 'casual'] },
        pages: { type: 'integer', maximum: 10 },
        city: { type: 'string' },
      })
      const said = ['tone: shouting\npages: 900\nevil: x\n__proto__x: y\ncity: Oslo']
      expect(await model.fill({ said, requirement })).toEqual({ city: 'Oslo' })
    })

    test('an offering without a form gets the words of the user as they are', async () => {
      const said = ['Say hello to the whole team']
      expect(await model.fill({ said, requirement: {} })).toEqual({ text: 'Say hello to the whole team' })
    })
  })

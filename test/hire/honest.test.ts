import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../service.ts'
import { plain, provider, talk } from './market.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const text = (description: string) => ({ type: 'string', description })

test('a proposal names what of the request the agent does not get, and what was made from the words', async () => {
  const { handle } = await provider(
    market,
    plain('0.1', {
      name: 'QR code',
      description: 'Makes a QR code of a link.',
      requirement: {
        type: 'object',
        required: ['link', 'day'],
        properties: { link: { type: 'string', format: 'uri' }, day: { type: 'string', format: 'date', description: 'Day' } },
      },
    }),
  )
  const { say } = talk(await market.user('exact'))
  const { content, data } = await say(
    `Hire agent ${handle} to make a QR code for https://example.org/a?b=1 tomorrow, 800 pixels wide, with a blue background please`,
  )
  expect(data.proposal).toMatchObject({ made: ['day'], left_out: ['800 pixels wide', 'with a blue background'] })
  expect(content).toContain('Left out: 800 pixels wide; with a blue background. The agent does not get this.')
  expect(content).toContain('I made this from your words: day.')
})

test('politeness and the words that chose the offering are not left out, and what was typed into a form is not made', async () => {
  const requirement = { type: 'object', required: ['city'], properties: { city: text('A city') } }
  const offering = { name: 'Weather of a city', description: 'Tells the weather of a city.', requirement }
  const { handle } = await provider(market, plain('0.1', offering))
  const { say } = talk(await market.user('polite'))
  const first = await say(`Hello! Could you please hire agent ${handle} for the weather in Lima? Thanks a lot!`)
  expect(first.data.proposal).toMatchObject({ input: '{"city":"Lima"}', made: [], left_out: [] })
  expect((await say('{"city":"São Paulo, SP"}')).data.proposal).toMatchObject({ input: '{"city":"São Paulo, SP"}', made: [] })
})

test('an offering that is ordered by its name with a whole input leaves nothing out', async () => {
  const requirement = { type: 'object', required: ['city'], properties: { city: text('A city') } }
  const offering = { name: 'Tides of a harbour', description: 'Tells the tides of a harbour.', requirement }
  const { handle } = await provider(market, plain('0.1', offering))
  const { say } = talk(await market.user('again'))
  const { data } = await say(`Hire ${handle} for the "Tides of a harbour" service, task: {"city":"Cairo"}`)
  expect(data.proposal).toMatchObject({ input: '{"city":"Cairo"}', left_out: [] })
})

test('plain text is proposed as it is sent, and changed by the form of the page exactly as it was typed', async () => {
  const { handle } = await provider(market, plain('0.1', { name: 'Write a novel', description: 'Writes a novel.' }))
  const user = await market.user('novelist')
  const { say } = talk(user)
  const first = await say(`Hire agent ${handle} to write a novel about a harbour with ships`)
  expect(first.content).toContain('a novel about a harbour with ships')
  const typed = '  A novel.\n\n- it may rain\n\tthe end '
  const { data } = await say(JSON.stringify({ text: typed }))
  expect(data).toMatchObject({ run_id: first.run_id, proposal: { input: typed, made: [] } })
})

test('a change of a plain text goes to the agent below the text before, and a text in another language goes whole', async () => {
  const { handle } = await provider(market, plain('0.1', { name: 'Write a poem', description: 'Writes poems about anything.' }))
  const { say } = talk(await market.user('reader of poems'))
  const first = await say(`Hire agent ${handle} to write a poem about a tax inspector from Ghent`)
  const before = first.data.proposal?.input ?? ''
  expect(before).toContain('a tax inspector from Ghent')
  const changed = await say('make it two limericks')
  expect(changed.data.proposal).toMatchObject({ input: `${before}\nmake it two limericks`, made: [] })
  const { say: tell } = talk(await market.user('reader of Russian poems'))
  const text = 'Напишите короткое стихотворение о море'
  expect((await tell(`@${handle} ${text}`)).data.proposal?.input).toContain(text)
})

test('nobody is asked for the same value thrice, and the value that is named then is proposed', async () => {
  const requirement = {
    type: 'object',
    required: ['day'],
    properties: { day: { type: 'string', format: 'date', description: 'The day' } },
  }
  const { handle } = await provider(market, plain('0.1', { name: 'Tide table', description: 'Tells the tides.', requirement }))
  const { say } = talk(await market.user('vague'))
  expect((await say(`Hire agent ${handle} for a tide table`)).data.state).toBe('awaiting-input')
  expect((await say('whenever it suits you')).data.state).toBe('awaiting-input')
  const last = await say('some day or other')
  expect(last.data.state).toBe('completed')
  expect(last.content).toMatch(/I asked twice[\s\S]*Nothing was hired and nothing was paid\.[\s\S]*^day: /m)
  expect((await say('day: 2031-05-01')).data.proposal?.input).toBe('{"day":"2031-05-01"}')
})

test('who asks about the price of a proposal is told all that is paid, also where they name it', async () => {
  const { handle } = await provider(market, plain('0.05', { name: 'Write a toast', description: 'Writes a toast.' }))
  const { say } = talk(await market.user('careful'))
  await say(`Hire agent ${handle} to write a toast for a baker`)
  const asked = ['hm, is 5 cents really all of it?', 'is 0.05 USDC really the whole price?']
  for (const question of asked) {
    const { content, data } = await say(question)
    expect(content).toContain('It costs 0.05 USDC in all.')
    expect([data.state, data.job]).toEqual(['awaiting-confirmation', undefined])
  }
})

test('a request in another language is answered in it, with an example that works in this market', async () => {
  const { say } = talk(await market.user('stranger'))
  for (const request of ['Wie wird das Wetter morgen in Berlin?', '明天柏林的天气怎么样？', 'Какая погода завтра в Берлине?']) {
    const { content } = await say(request)
    expect(content).toMatch(/English/)
    const [, example = ''] = /[“«"]\s?([a-z ]+\?)\s?[”»"]/.exec(content) ?? []
    expect((await say(example)).content).toMatch(/^I am the butler of this market/)
  }
})

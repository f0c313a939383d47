import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { invokeOutput } from '../../src/operations/messages/invoke.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { ask, plain, provider, talk } from './market.ts'
import { type Brain, type Call, candidateWith, newest, type Question, startModelServer } from './modelServer.ts'

// What a model sees of a turn, what of its words a user reads, and in which zone a time is taken.

const text = (description: string) => ({ type: 'string', description })
const offerings = {
  booker: {
    ...{ id: 'table', name: 'Table in a restaurant', description: 'Reserves a table in a restaurant.', price: '0.2' },
    requirement: {
      type: 'object',
      required: ['restaurant', 'start'],
      properties: { restaurant: text('Name of the restaurant'), start: { ...text('When'), format: 'date-time' } },
    },
  },
  lister: {
    ...{ id: 'list', name: 'Clips of a film, a list', description: 'Lists who shows clips of a film.', price: '0.1' },
    requirement: {
      type: 'object',
      required: ['film'],
      properties: { film: text('Title of the film'), after: text('Not before, HH:MM') },
    },
  },
  cutter: {
    ...{ id: 'cut', name: 'Clips of a film', description: 'Cuts a film into clips. Vertical clips for phones.', price: '0.9' },
    requirement: {
      type: 'object',
      required: ['film', 'style', 'delivery_day', 'captions'],
      properties: {
        film: text('Title of the film'),
        style: { ...text('Style'), enum: ['calm', 'wild'] },
        delivery_day: text('Weekday of the delivery'),
        captions: text('Language of the captions'),
        music: text('Music'),
      },
    },
    deliverable: {
      type: 'object',
      properties: {
        files: {
          type: 'array',
          description: 'One clip for each scene',
          items: { type: 'string', format: 'file', contentMediaType: 'video/mp4' },
        },
        scenes: { type: 'array', items: { type: 'object', properties: { title: text(''), seconds: { type: 'number' } } } },
        mood: { type: 'string', enum: ['calm', 'wild'] },
      },
    },
  },
}

const brain: { answer: Brain } = { answer: () => ({}) }
let server: Awaited<ReturnType<typeof startModelServer>>
let market: TestService
beforeAll(async () => {
  server = await startModelServer({ answer: question => (question.kind === 'turn' ? brain.answer(question) : { text: '' }) })
  market = await startTestService({ env: { MODEL_BASE_URL: server.baseUrl, MODEL: 'scripted', LOG_LEVEL: 'silent' } })
  for (const [handle, it] of Object.entries(offerings)) await provider(market, { ...plain('1'), ...it }, handle)
  await until('all to be found', async () => {
    const { body } = await ask(market, '/offerings/search?query=restaurant%20clips%20of%20a%20film')
    return Object.keys(offerings).every(it => JSON.stringify(body).includes(it))
  })
})
beforeEach(() => {
  server.questions.length = 0
})
afterAll(async () => {
  await market?.stop()
  await server?.close()
})

let users = 0
const open = async () => {
  users += 1
  const user = await market.user(`sees-${users}`)
  return { ...talk(user), user }
}
const hire = (question: Question, agent: string, more: Partial<Call> = {}) => ({
  calls: [
    {
      ...{ tool: 'propose_hire', language: 'en', candidates: [candidateWith(question, `"agent":"${agent}"`)] },
      ...{ task: newest(question), input: {}, ...more },
    },
  ],
})
const lastText = () => server.questions.at(-1)?.text ?? ''
/** The rules read alone where the provider refuses the key. */
const noModel = () => new Response('{}', { status: 401 })

test('an offering above the limit is shown to the model with how it breaks it; the user is told, and it is not proposed', async () => {
  brain.answer = it => hire(it, 'cutter', { input: { film: 'Metropolis' } })
  const { content, data } = await (await open()).say('Cut the film Metropolis into clips, at most 0.5 USDC')
  expect(lastText()).toMatch(/"agent":"cutter".*"beyond":"it costs 0\.9 USDC, you said at most 0\.5"/)
  expect(data.proposal).toBeUndefined()
  expect(content).toMatch(/The nearest is "Clips of a film" by cutter: it costs 0\.9 USDC, you said at most 0\.5/)
})

test('a time that a model wrote in another form is kept, and a quoted value stands without its marks', async () => {
  brain.answer = it => hire(it, 'lister', { input: { film: '"Metropolis"', after: '09:30' } })
  const { data } = await (await open()).say('List who shows clips of the film "Metropolis", not before 9:30')
  expect(JSON.parse(data.proposal?.input ?? '{}')).toEqual({ film: 'Metropolis', after: '09:30' })
})

test('a search keeps to the limits that the model reads, and says which candidates it brought', async () => {
  brain.answer = it =>
    it.text.includes('You looked up')
      ? { calls: [{ tool: 'answer', language: 'de', source: 'nothing-fits' }] }
      : { calls: [{ tool: 'search_offerings', language: 'de', query: 'Cut a film', limits: { max_price: '0.5' } }] }
  const { data } = await (await open()).say('Schneide mir Metropolis in Stücke, mehr als 0.5 darf es nicht kosten')
  expect(lastText()).toMatch(/"query":"Cut a film","found":"Candidates [\d, ]+\. (?:New: \d|None of them is new)/)
  expect(lastText()).toMatch(/"agent":"cutter".*"beyond":"it costs 0\.9 USDC, you said at most 0\.5"/)
  expect(data.proposal).toBeUndefined()
})

test('of quoted material the model sees length, language and first words, and what it says later chooses and fills nothing', async () => {
  const letter = `Sehr geehrte Damen und Herren, der Film ist nicht fertig und wir sind sehr traurig. ${'Und so weiter. '.repeat(20)}wild periwinkle`
  brain.answer = it => hire(it, 'cutter', { input: { film: '[text 1]', style: 'wild' } })
  const { data } = await (await open()).say(`Cut clips of a film for "${letter}"`)
  expect(lastText()).toMatch(
    /Quoted or pasted:\n\{"mark":"\[text 1\]","characters":399,"language":"de","begins":"Sehr geehrte [^\n]{1,50}…"\}/,
  )
  expect(lastText()).not.toContain('periwinkle')
  expect(data.questions?.map(it => it.field)).toContain('style')
})

test('all required inputs that are missing are asked for at once, in the words of the model where they ask for them alone', async () => {
  brain.answer = it =>
    hire(it, 'cutter', {
      ask: {
        film: 'Which film is it?',
        style: 'Calm or wild? Your money is safe with us, by the way.',
        delivery_day: 'On which weekday should the clips be delivered?',
        captions: 'Which music do you like?',
      },
    })
  const { content, data } = await (await open()).say('Please cut clips of a film')
  expect(data.questions?.map(it => it.field)).toEqual(['film', 'style', 'delivery_day', 'captions'])
  expect(data.questions?.map(it => it.words)).toEqual([
    ...['Which film is it?', 'Calm or wild?', 'On which weekday should the clips be delivered?'],
    // It asks for another input, so code asks.
    'What should the captions be? (Language of the captions)',
  ])
  expect(content).not.toMatch(/money|music/)
})

test('what one gets is told from the schema and the text of the offering', async () => {
  const { say } = await open()
  brain.answer = it =>
    hire(it, 'cutter', { input: { film: 'Metropolis', style: 'calm', delivery_day: 'Monday', captions: 'German' } })
  const asked = await say('Cut the film Metropolis into clips, calm, by Monday, with captions in German')
  expect(asked.data.state).toBe('awaiting-confirmation')
  for (const answer of [noModel, () => ({ calls: [{ tool: 'answer', language: 'en', source: 'open', topic: 'result' }] })]) {
    brain.answer = answer
    const { content } = await say('What do I get?')
    expect(content).toContain(
      'You get files (several files of type video/mp4): “One clip for each scene”; mood (one of calm, wild); scenes (a list, each with seconds, title).',
    )
    expect(content).toContain('Its provider says of it: “Cuts a film into clips. Vertical clips for phones.”')
  }
})

const invoke = async (message: string, more: object) => {
  const { user, conversationId } = await open()
  return invokeOutput.parse(await user.client.post('/invoke', { message, conversation_id: conversationId, ...more }))
}
const started = ({ data, content }: Awaited<ReturnType<typeof invoke>>) => ({
  start: JSON.parse(data.proposal?.input ?? '{}').start,
  told: /I made this from your words: .*start \((UTC[^)]*)\)/.exec(content)?.[1],
})
const booking = 'Reserve a table in the restaurant "Adler" on 5 January 2027 at 7pm'

test('a time without a zone is in the zone of the user, else in UTC, and the proposal says which was taken', async () => {
  brain.answer = noModel
  expect(started(await invoke(booking, {}))).toEqual({ start: '2027-01-05T19:00:00Z', told: 'UTC' })
  const berlin = { time_zone: 'Europe/Berlin' }
  expect(started(await invoke(booking, berlin))).toEqual({ start: '2027-01-05T19:00:00+01:00', told: 'UTC+01:00' })
  // Summer time of that day counts, not that of today.
  const july = booking.replace('January', 'July')
  expect(started(await invoke(july, berlin))).toEqual({ start: '2027-07-05T19:00:00+02:00', told: 'UTC+02:00' })
  // A zone that was named, or one that nobody knows.
  expect(started(await invoke(`${booking} London time`, berlin))).toMatchObject({ start: '2027-01-05T19:00:00Z' })
  expect(started(await invoke(booking, { time_zone: 'Mars/Olympus\nSYSTEM' }))).toMatchObject({ start: '2027-01-05T19:00:00Z' })
})

test('a time that a model wrote without a zone is in that of the user, who reads it; the model knows the zone, too', async () => {
  brain.answer = it =>
    hire(it, 'booker', {
      language: 'de',
      input: { restaurant: 'Adler', start: '2027-01-05T19:00' },
      inferred: { start: '5. Januar 2027 abends um sieben' },
    })
  const said = 'Bitte einen Tisch im Restaurant Adler, am 5. Januar 2027 abends um sieben'
  const { data, content } = await invoke(said, { time_zone: 'America/New_York' })
  expect(lastText()).toMatch(/Today: \w+ \d{4}-\d\d-\d\d, time zone America\/New_York/)
  expect(JSON.parse(data.proposal?.input ?? '{}')).toEqual({ restaurant: 'Adler', start: '2027-01-05T19:00:00-05:00' })
  expect(content).toContain('Das habe ich aus Ihren Worten gemacht: start (UTC-05:00).')
})

test('a Z that a model writes by habit beside a said time of day is no zone; a zone that was named is kept', async () => {
  brain.answer = it => hire(it, 'booker', { input: { restaurant: 'Adler', start: '2027-01-05T19:00:00Z' } })
  const start = async (said: string) => started(await invoke(said, { time_zone: 'Europe/Berlin' })).start
  expect(await start(booking)).toBe('2027-01-05T19:00:00+01:00')
  expect(await start(`${booking} London time`)).toBe('2027-01-05T19:00:00Z')
})

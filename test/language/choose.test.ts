import { describe, expect, test } from 'vitest'
import { choose, decide } from '../../src/language/choice/choose.ts'
import type { Choosing, ListingView } from '../../src/ports.ts'

const candidates = (...scores: number[]) => scores.map(score => ({ score, hasConnected: true }))

describe('the decision', () => {
  test.each<[string, number[], Pick<Choosing, 'decision' | 'picks'>]>([
    ['the surest is proposed', [0.2, 0.9], { decision: 'propose', picks: [1] }],
    ['of two that are sure alike the surer is proposed', [0.85, 0.9], { decision: 'propose', picks: [1] }],
    ['two that are unsure alike are shown', [0.45, 0.4], { decision: 'choices', picks: [0, 1] }],
    ['an unsure one far before the next is proposed', [0.4, 0.05], { decision: 'propose', picks: [0] }],
    ['an unsure one is shown with the next', [0.05, 0.25, 0.01], { decision: 'choices', picks: [1, 0] }],
    ['at most four are shown', [0.4, 0.4, 0.4, 0.4, 0.4], { decision: 'choices', picks: [0, 1, 2, 3] }],
    ['one that is alone and unsure is not shown', [0.3], { decision: 'none', picks: [] }],
    ['nothing is shown that is unlikely', [0.09, 0.05], { decision: 'none', picks: [] }],
    ['a market without listings has none', [], { decision: 'none', picks: [] }],
  ])('%s', (_, scores, decided) => {
    expect(decide(candidates(...scores))).toEqual(decided)
  })

  test('among equals an agent that never connected comes last', () => {
    const [first, second] = candidates(0.8, 0.79)
    expect(
      decide([
        { ...first, score: 0.8, hasConnected: false },
        { ...second, score: 0.79, hasConnected: true },
      ]).picks,
    ).toEqual([1])
  })
})

const view = (name: string, description: string, more: Partial<ListingView> = {}): ListingView => ({
  ...{ name, description, price: '0.1', slaMinutes: 5, coverage: 0, score: 0.02 },
  ...more,
})
const text = { type: 'object', required: ['text'], properties: { text: { type: 'string', description: 'The text' } } }
const listings = [
  view('Text summary', 'Summarizes a text in a few sentences', { requirement: text, score: 0.35, coverage: 1 }),
  view('World clock', 'Tells the local time in any city'),
  view('Logo design', 'Draws a logo for your company'),
]

describe('the choice', () => {
  test('a clear match is proposed with a reason in a plain sentence', () => {
    const chosen = choose({ task: 'summarize this text: The bridge was closed on Monday. It opens again in May.', listings })
    expect(chosen).toMatchObject({ decision: 'propose', picks: [0] })
    expect(chosen.sure).toBeGreaterThan(0.5)
    expect(chosen.reason).toMatch(/^It .{20,200}\.$/)
    expect(chosen.reason).not.toMatch(/\d|words/)
  })

  test('a task that no listing does is not proposed', () => {
    const poor = listings.map(it => ({ ...it, score: 0.01, coverage: 0 }))
    expect(choose({ task: 'walk my dog tomorrow at five', listings: poor }).decision).not.toBe('propose')
  })

  test('the same request gets the same choice, in any order of the listings', () => {
    const task = 'summarize this text: The bridge was closed on Monday. It opens again in May.'
    const turned = choose({ task, listings: [...listings.slice(1), ...listings.slice(0, 1)] })
    expect(turned.picks).toEqual([2])
    expect(choose({ task, listings })).toEqual(choose({ task, listings }))
  })

  test('a word that every listing contains does not make one a match', () => {
    const many = ['Cat photos', 'Dog photos', 'Bird photos'].map(it => view(it, `${it} to order`, { score: 0.03, coverage: 0.2 }))
    expect(choose({ task: 'develop an old roll of film and send me photos on paper by post', listings: many }).decision).not.toBe(
      'propose',
    )
  })
})

test('a listing that does other work with the same inputs does not replace one outside the limits', () => {
  const [days, city] = [{ type: 'integer' }, { type: 'string', description: 'The city' }]
  const forecast = { type: 'object', required: ['city'], properties: { city, days } }
  const trip = { type: 'object', required: ['destination', 'days'], properties: { destination: city, days } }
  const weather = 'Tells the weather in a city: rain, sun, snow, wind and temperature for the next days.'
  const tour = 'Plans a trip or holiday day by day: an itinerary with sights, museums and restaurants.'
  const task = 'Plan a trip to Nepal for 6 days'
  const some = [
    view('Weather forecast', weather, { requirement: forecast, score: 0.3, coverage: 0.5 }),
    view('Summarize a text', 'Makes a long text short.', { requirement: text, score: 0.05, coverage: 0.1 }),
    view('Plan a trip', tour, { requirement: trip, score: 0.6, coverage: 0.9, isBeyond: true }),
  ]
  expect(choose({ task, listings: some }).decision).toBe('none')
})

const captions = { type: 'object', required: ['video_url'], properties: { video_url: { type: 'string', format: 'uri' } } }
const trades = [
  view('Subtitles by machine', 'Listens to a video and writes a file.', { requirement: captions, score: 0.08, coverage: 0.1 }),
  view('Subtitles made by people', 'Editors write them by ear.', { requirement: captions, score: 0.07, coverage: 0.1 }),
  view('Rent a van', 'A van for hours or days.', { score: 0.01 }),
]

describe('a trade that no list of subjects knows', () => {
  test('is found by the name of the work', () => {
    expect(choose({ task: 'subtitles for https://v.example/a.mp4', listings: trades.slice(0, 1) }).picks).toEqual([0])
  })

  test('is done by whom the user asks for', () => {
    const ask = (task: string) => choose({ task, listings: trades })
    expect(ask('human subtitles for https://v.example/a.mp4')).toMatchObject({ decision: 'propose', picks: [1] })
    expect(ask('automatic subtitles for https://v.example/a.mp4')).toMatchObject({ decision: 'propose', picks: [0] })
  })
})

test('words that name only an input are shown what takes it, and nothing is proposed', () => {
  const takers = [
    view('Compare two texts', 'Shows what changed.', { requirement: text, score: 0.3, coverage: 1 }),
    view('Summarize a text', 'The main points of a text.', { requirement: text, score: 0.29, coverage: 1 }),
  ]
  expect(choose({ task: 'I have some text', listings: takers })).toMatchObject({ decision: 'choices', picks: [0, 1] })
})

describe('what request and listing surely have in common', () => {
  const dog = {
    type: 'object',
    required: ['breed', 'trouble'],
    properties: { breed: { type: 'string' }, trouble: { type: 'string' } },
  }
  const field = {
    type: 'object',
    required: ['work', 'hectares'],
    properties: { work: { type: 'string', enum: ['ploughing', 'baling'] }, hectares: { type: 'number' } },
  }
  const market = [
    view('Dog training plan', 'A trainer writes what to practise with your dog.', {
      requirement: dog,
      score: 0.3,
      coverage: 0.5,
    }),
    view('Work on your field', 'A driver with a tractor ploughs or bales it.', { requirement: field, score: 0.05 }),
    view('Proofreading', 'Fixes spelling in a letter.', { requirement: text, score: 0.05, coverage: 0.3 }),
  ]

  test.each(['walk my dog', 'sell my dog', 'fix my car', 'paint the fence', 'adopt a kitten'])(
    'does not make somebody do other work: %s',
    task => expect(choose({ task, listings: market }).decision).not.toBe('propose'),
  )

  test('proposes who takes its values, although few words are alike', () => {
    expect(choose({ task: 'bale 12 hectares', listings: market })).toMatchObject({ decision: 'propose', picks: [1] })
  })
})

describe('a market of different works', () => {
  const fields = (...names: string[]) => ({
    ...{ type: 'object', required: names },
    properties: Object.fromEntries(names.map(it => [it, { type: 'string', description: it.replaceAll('_', ' ') }])),
  })
  const market = [
    view('Low and high tide', 'Tells when the water is high or low at a pier on a day.', {
      requirement: { ...fields('pier'), properties: { pier: { type: 'string' }, day: { type: 'string', format: 'date' } } },
    }),
    view('Translate a text', 'Puts a text into another language.', { requirement: fields('text', 'target_language') }),
    view('Plumber', 'Sends a plumber to your house.', { requirement: fields('street', 'damage') }),
    view('Care for a horse', 'Somebody looks after your horse while you travel.', {
      requirement: fields('stable', 'first_day', 'last_day'),
    }),
    view('Words of songs', 'Finds the words of a song.', { requirement: fields('title') }),
  ]
  test.each([
    ['has all words of the request', 'when is low water off Southend pier on Friday?', [0]],
    ['has all words of the request', 'is it high or low at Southend pier on Friday', [0]],
    ['takes the quoted text and the language', '"Mind the step" in Norwegian please, guests are coming', [1]],
  ])('the one that %s is proposed: %s', (_, task, picks) => {
    expect(choose({ task, listings: market })).toMatchObject({ decision: 'propose', picks })
  })

  test.each([
    'who could be there for my horse?',
    'I have this horse here and am going away',
    'my horse and me, we need somebody',
  ])('whose subject is named by all that is asked is shown: %s', task => {
    const { decision, picks } = choose({ task, listings: market })
    expect(decision).not.toBe('none')
    expect(picks).toContain(3)
  })

  test.each(['my shoes must be mended', 'get me a visa for Chile'])('nothing is shown for other work: %s', task =>
    expect(choose({ task, listings: market }).decision).toBe('none'),
  )
})

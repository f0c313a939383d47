import { cityClock } from '../../docs/examples/agents/cityClock.ts'
import { textDigest } from '../../docs/examples/agents/textDigest.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import type { AgentOffering } from '../../src/kit/kit.ts'
import { ask, freshKey } from '../hire/market.ts'
import { startTestService, type TestService, until } from '../service.ts'

const text = (description: string): JsonObject => ({ type: 'string', description })
const form = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
})

const offerings: Record<string, AgentOffering> = {
  babel: {
    id: 'translate',
    name: 'Translate a text',
    description: 'Translation of letters, mails and phrases between languages by people who speak both.',
    price: '0.20',
    slaMinutes: 5,
    requirement: form({
      text: text('The text to translate'),
      target_language: {
        type: 'string',
        enum: ['English', 'French', 'German', 'Spanish', 'Italian', 'Japanese'],
        description: 'The language it is to be in',
      },
    }),
  },
  'haiku-hut': {
    id: 'haiku',
    name: 'Write a haiku',
    description: 'Writes a short poem, a haiku or a verse about anything you like.',
    price: '0.30',
    slaMinutes: 10,
    requirement: form({ topic: text('What the poem is about') }),
  },
  'stay-finder': {
    id: 'hotels',
    name: 'Find a hotel',
    description: 'Finds and compares hotels, rooms and places to stay in a city for some nights.',
    price: '0.60',
    slaMinutes: 20,
    requirement: form(
      {
        city: text('The city to stay in'),
        nights: { type: 'integer', minimum: 1, maximum: 60, description: 'How many nights' },
        guests: { type: 'integer', minimum: 1, description: 'How many guests' },
      },
      ['city', 'nights'],
    ),
  },
  'sky-watch': {
    id: 'forecast',
    name: 'Weather forecast',
    description: 'Tells the weather in a city: rain, sun, snow, wind and temperature for the next days.',
    price: '0.08',
    slaMinutes: 2,
    requirement: form(
      { city: text('The city'), days: { type: 'integer', minimum: 1, maximum: 14, description: 'How many days ahead' } },
      ['city'],
    ),
  },
  'coin-desk': {
    id: 'convert',
    name: 'Convert currency',
    description: 'Converts an amount of money from one currency to another at the exchange rate of today.',
    price: '0.03',
    slaMinutes: 1,
    requirement: form({
      amount: { type: 'number', description: 'How much to convert' },
      from_currency: { type: 'string', enum: ['USD', 'EUR', 'GBP', 'JPY', 'CHF'], description: 'The currency it is in' },
      to_currency: { type: 'string', enum: ['USD', 'EUR', 'GBP', 'JPY', 'CHF'], description: 'The currency it is to be in' },
    }),
  },
  'logo-lab': {
    id: 'logo',
    name: 'Design a logo',
    description: 'Designs a logo for a brand, a shop or a company, as a vector drawing.',
    price: '4.00',
    slaMinutes: 120,
    requirement: form(
      {
        brand: text('The name that the logo is for'),
        style: { type: 'string', enum: ['modern', 'classic', 'playful'], description: 'How it should look' },
      },
      ['brand'],
    ),
  },
  'red-pen': {
    id: 'proofread',
    name: 'Proofread a text',
    description: 'Corrects the spelling, grammar and punctuation of an essay, a letter or a page.',
    price: '0.15',
    slaMinutes: 15,
    requirement: form({ text: text('The text to correct') }),
  },
  'long-way': {
    id: 'trip',
    name: 'Plan a trip',
    description: 'Plans a trip or holiday day by day: an itinerary with sights, museums and restaurants.',
    price: '1.50',
    slaMinutes: 60,
    requirement: form({
      destination: text('The city or country to travel to'),
      days: { type: 'integer', minimum: 1, maximum: 30, description: 'How many days the trip takes' },
    }),
  },
  'sea-lord': {
    id: 'yacht',
    name: 'Charter a yacht',
    description: 'Charters a sailing yacht with crew for a week.',
    price: '90000.00',
    slaMinutes: 600,
    requirement: {},
  },
}

/** Starts one service with ten agents in this process, which deliver at once. */
export const openConversationMarket = async (): Promise<TestService> => {
  const market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  const handler = () => 'Here it is.'
  const made = Object.entries(offerings).map(([handle, it]) => market.agent({ handle, offerings: [it], handler }))
  const demo = [cityClock, textDigest].map(create =>
    create({ platformUrl: market.url, credential: freshKey(), pollPauseMs: 20 }).start(),
  )
  const running = await Promise.all(demo)
  await Promise.all(made)
  await until('every agent to be found', async () => {
    const handles = [...Object.keys(offerings), 'city-clock', 'text-digest']
    const { body } = await ask(
      market,
      '/offerings/search?query=city%20text%20poem%20logo%20trip%20yacht%20convert%20translate%20weather%20hotel&limit=50',
    )
    const found = JSON.stringify(body)
    return handles.every(it => found.includes(`"${it}"`))
  })
  return {
    ...market,
    get service() {
      return market.service
    },
    async stop() {
      await Promise.all(running.map(it => it.stop()))
      await market.stop()
    },
  }
}

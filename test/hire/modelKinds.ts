import { vi } from 'vitest'
import { startTestService, type TestService, until } from '../service.ts'
import { ask, plain, provider, talk } from './market.ts'
import { type Brain, startModelServer } from './modelServer.ts'

/** The forms in which providers answer. */
export const kinds = ['chat completions', 'the Responses API', 'plain structured output'] as const
export type Kind = (typeof kinds)[number]

const poem = {
  type: 'object',
  required: ['topic', 'mood'],
  properties: { topic: { type: 'string' }, mood: { type: 'string' }, language: { type: 'string', description: 'ISO code' } },
}
const offering = { id: 'haiku', name: 'Haiku about a topic', description: 'Writes a haiku.', requirement: poem }

/**
 * Starts one model server, and for each form a market with the city clock and a poet that asks a model by it.
 * @param env more settings of each market
 */
export const startKinds = async (answer: Brain, env: Record<string, string> = {}) => {
  const server = await startModelServer({ answer: question => answer(question) })
  vi.stubEnv('OPENAI_BASE_URL', server.baseUrl)
  const markets = new Map<Kind, TestService>()
  const stops: (() => Promise<unknown>)[] = []
  for (const kind of kinds) {
    const at: Record<string, string> =
      kind === 'the Responses API' ? { OPENAI_API_KEY: 'none' } : { MODEL_BASE_URL: server.baseUrl }
    const market = await startTestService({ env: { ...at, MODEL: 'scripted', LOG_LEVEL: 'silent', ...env } })
    markets.set(kind, market)
    await market.cityClock()
    stops.push(() => market.stop())
    await provider(market, { ...plain('0.5'), ...offering }, 'poet')
    await until('both to be found', async () => {
      const { body } = await ask(market, '/offerings/search?query=local%20time%20haiku')
      return ['city-clock', 'poet'].every(it => JSON.stringify(body).includes(it))
    })
  }
  let users = 0
  return {
    server,
    /** A new user of the market that asks by this form, with a conversation. */
    async open(kind: Kind) {
      const market = markets.get(kind)
      if (!market) throw new Error('there is no market')
      server.questions.length = 0
      users += 1
      const user = await market.user(`kind-${users}`)
      return { user, say: talk(user).say }
    },
    async stop() {
      vi.unstubAllEnvs()
      for (const it of stops) await it()
      await server.close()
    },
  }
}

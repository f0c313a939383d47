import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PhraseKey } from '../../src/domain/phrases/tables/english.ts'
import { tables } from '../../src/domain/phrases/tables.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { ask, eventsOf, plain, provider, talk } from './market.ts'
import { type Brain, candidateWith, newest, startModelServer } from './modelServer.ts'

// Whole conversations in the language of the user, over HTTP. The model reads; what is said of terms and money is our own.

const words: Record<string, { request: string; city: string; noTask: string; yes: string; cancel: string; status: string }> = {
  es: {
    ...{ request: '¿Puedes decirme qué hora es en Tokio?', city: 'Tokio', noTask: 'Necesito un dragón que vuele' },
    ...{ yes: 'sí, por favor', cancel: 'cancela', status: '¿Cómo va mi trabajo?' },
  },
  de: {
    ...{
      request: 'Kannst du mir sagen, wie spät es in Tokio ist?',
      city: 'Tokio',
      noTask: 'Ich brauche einen fliegenden Drachen',
    },
    ...{ yes: 'ja, bitte', cancel: 'abbrechen', status: 'Wie ist der Stand?' },
  },
  ja: {
    ...{ request: '東京は今何時ですか?', city: '東京', noTask: '空飛ぶ竜がほしいです' },
    ...{ yes: 'はい、お願いします', cancel: 'キャンセル', status: '進み具合はどうですか?' },
  },
  tr: {
    ...{ request: 'Bana Tokyo saatini söyler misin lütfen?', city: 'Tokyo', noTask: 'Uçan bir ejderha istiyorum' },
    ...{ yes: 'evet, lütfen', cancel: 'iptal', status: 'İşim ne durumda?' },
  },
  fr: {
    ...{ request: 'Peux-tu me dire quelle heure il est à Tokyo ?', city: 'Tokyo', noTask: 'J’ai besoin d’un dragon qui vole' },
    ...{ yes: 'oui, s’il te plaît', cancel: 'annule', status: 'Où en est mon travail ?' },
  },
  pt: {
    ...{ request: 'Você pode me dizer que horas são em Tóquio?', city: 'Tóquio', noTask: 'Preciso de um dragão que voe' },
    ...{ yes: 'sim, obrigado', cancel: 'cancelar', status: 'Como está o meu trabalho?' },
  },
  it: {
    ...{ request: 'Puoi dirmi che ore sono adesso a Tokyo?', city: 'Tokyo', noTask: 'Ho bisogno di un drago che voli' },
    ...{ yes: 'sì, per favore', cancel: 'annulla', status: 'A che punto è il mio lavoro?' },
  },
  zh: {
    ...{ request: '东京现在几点?', city: '东京', noTask: '我需要一条会飞的龙' },
    ...{ yes: '是的', cancel: '取消', status: '我的任务进展如何?' },
  },
  ru: {
    ...{ request: 'Скажи, пожалуйста, который сейчас час в Токио?', city: 'Токио', noTask: 'Мне нужен летающий дракон' },
    ...{ yes: 'да, пожалуйста', cancel: 'отмени', status: 'Как идёт моя работа?' },
  },
}

const languageOfCall = (text: string) => Object.entries(words).find(([, it]) => Object.values(it).includes(text))?.[0] ?? 'en'
const call = (tool: string, language: string, more: object = {}) => ({ words: '', calls: [{ tool, language, ...more }] })
const brain: { answer: Brain } = {
  answer: question => {
    // No model says the sentences of these tables.
    if (question.kind !== 'turn') throw new Error(`a model was asked for a ${question.kind}: ${question.text.slice(-300)}`)
    const text = newest(question)
    const language = languageOfCall(text)
    const of = words[language]
    if (text === of?.noTask) return call('answer', language, { source: 'nothing-fits' })
    if (text === of?.status) return call('job_status', language)
    if (text.startsWith('write')) {
      const candidates = [candidateWith(question, 'slow-poet')]
      return call('propose_hire', language, { candidates, task: text, input: {} })
    }
    const candidates = [candidateWith(question, 'city-clock')]
    if (candidates[0] === -1) return call('search_offerings', language, { query: 'Tell the local time in Tokyo' })
    return call('propose_hire', language, {
      ...{ candidates, task: text, input: { city: 'Tokyo' }, inferred: [{ field: 'city', from: of?.city ?? '' }] },
    })
  },
}

let server: Awaited<ReturnType<typeof startModelServer>>
let market: TestService
let silent: TestService
const startClock = async (of: TestService) => {
  await of.cityClock()
  await until('the clock to be found', async () =>
    JSON.stringify((await ask(of, '/offerings/search?query=local%20time')).body).includes('city-clock'),
  )
}
beforeAll(async () => {
  server = await startModelServer(brain)
  market = await startTestService({ env: { MODEL_BASE_URL: server.baseUrl, MODEL: 'scripted' } })
  silent = await startTestService({})
  for (const it of [market, silent]) await startClock(it)
  for (const it of [market, silent]) await provider(it, plain('0.3', { name: 'Write a haiku slowly' }), 'slow-poet')
})
afterAll(async () => {
  await market?.stop()
  await silent?.stop()
  await server?.close()
})

/** The words of a sentence around its slots. */
const piecesOf = (language: string, key: PhraseKey): string[] =>
  (tables[language]?.[key] ?? key)
    .split(/\{[a-z]+\d?\}/)
    .map(it => it.trim())
    .filter(it => it.length > 2)
const expectSaid = (content: string, language: string, keys: PhraseKey[]) => {
  for (const key of keys) for (const it of piecesOf(language, key)) expect(content).toContain(it)
}
const english =
  /\b(?:I propose|You pay|You get|Say yes|Terms|Nothing|delivered:|passed its checks|agent wallet|cancel the|Which|Tell me)\b/

test.each(Object.keys(words))('a conversation in %s, from a request to the paid result, is in that language', async language => {
  const of = words[language]
  const user = await market.user(`speaker-${language}`)
  const { say } = talk(user)
  const none = await say(of?.noTask ?? '')
  expectSaid(none.data.content, language, ['nothingFits', 'unpaid'])
  expect(none.data.content).not.toMatch(english)
  const asked = await say(of?.request ?? '')
  expect(asked.data).toMatchObject({ state: 'awaiting-confirmation', proposal: { input: '{"city":"Tokyo"}' } })
  expectSaid(asked.data.content, language, ['terms', 'youPay', 'itGets', 'openUntil'])
  expect(asked.data.content).not.toMatch(english)
  const proposed = (await eventsOf(user, asked.run_id)).find(it => it.type === 'proposed')
  expect(proposed?.data.language).toBe(language)
  const done = await say(of?.yes ?? '')
  expect(done.data).toMatchObject({ state: 'completed', job: { state: 'settled' } })
  expectSaid(done.data.content, language, ['delivered', 'paid'])
  expect(done.data.content).not.toMatch(english)
})

test.each(Object.keys(words))('in %s a job that waits is told, cancelled and refunded in that language', async language => {
  const of = words[language]
  const user = await market.user(`waiter-${language}`)
  const { say } = talk(user)
  await say('write a haiku slowly')
  const { run_id } = await say(of?.yes ?? '', 2_000)
  expect(run_id).toBeTruthy()
  const status = await say(of?.status ?? '')
  expectSaid(status.data.content, language, ['promised', 'fallback'])
  const cancelled = await say(of?.cancel ?? '')
  expectSaid(cancelled.data.content, language, ['cancelled'])
  expect(cancelled.data.content).not.toMatch(english)
})

test('without a model a request in another language is answered in it, and its yes and its cancel are understood', async () => {
  for (const [language, of] of Object.entries(words)) {
    const user = await silent.user(`alone-${language}`)
    const { say } = talk(user)
    expect((await say(of.request)).data.content).toBe(tables[language]?.onlyEnglish)
    expect((await say('local time in Tokyo')).data.state).toBe('awaiting-confirmation')
    const done = await say(of.yes)
    expect(done.data).toMatchObject({ state: 'completed', job: { state: 'settled' } })
    expectSaid(done.data.content, language, ['delivered', 'paid'])
    expect(done.data.content).not.toMatch(english)
  }
})

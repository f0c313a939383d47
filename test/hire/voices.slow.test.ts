import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, until } from '../service.ts'
import { ask, plain, provider, rested, talk } from './market.ts'
import { type Brain, candidateWith, newest, type Question, startModelServer } from './modelServer.ts'

// A whole conversation in each language with a model: a question, a proposal, a change, a yes, a question on the job, its result.

type Voice = {
  /** The request, and the words and the question of the model to it. */
  request: [said: string, words: string, ask: string]
  answer: [said: string, words: string, topic: string, mood: string]
  change: [said: string, words: string, topic: string]
  yes: string
  status: [said: string, words: string]
  result: [said: string, words: string]
}
const voices: Record<string, Voice> = {
  de: {
    request: ['Dichte mir bitte ein Haiku', 'Das macht hier jemand gern.', 'In welcher Stimmung soll es sein?'],
    answer: ['Über Frösche, heiter', 'Über Frösche also, in heiterer Stimmung.', 'Frösche', 'heiter'],
    change: ['Doch lieber über Teiche', 'Dann geht es um Teiche.', 'Teiche'],
    yes: 'ja, bitte',
    status: ['Wie weit ist es denn?', 'Ich sehe nach.'],
    result: ['Was ist dabei herausgekommen?', 'Hier ist es.'],
  },
  es: {
    request: ['Escríbeme un haiku, por favor', 'Aquí hay quien lo hace.', '¿Qué ánimo debe tener?'],
    answer: ['Sobre ranas, alegre', 'Sobre ranas, con ánimo alegre.', 'ranas', 'alegre'],
    change: ['Mejor sobre estanques', 'Entonces será sobre estanques.', 'estanques'],
    yes: 'sí, por favor',
    status: ['¿Cómo va mi encargo?', 'Lo miro.'],
    result: ['¿Qué ha salido?', 'Aquí está.'],
  },
  fr: {
    request: ['Écris-moi un haïku, s’il te plaît', 'Quelqu’un ici sait le faire.', 'Dans quelle humeur doit-il être ?'],
    answer: ['Sur les grenouilles, joyeux', 'Sur les grenouilles, donc, et joyeux.', 'grenouilles', 'joyeux'],
    change: ['Plutôt sur les étangs', 'Ce sera donc sur les étangs.', 'étangs'],
    yes: "oui, s'il vous plaît",
    status: ['Où en est mon haïku ?', 'Je regarde.'],
    result: ['Qu’est-ce que cela a donné ?', 'Le voici.'],
  },
  pt: {
    request: ['Escreva-me um haicai, por favor', 'Há quem faça isso aqui.', 'Que estado de espírito deve ter?'],
    answer: ['Sobre rãs, alegre', 'Sobre rãs, num tom alegre.', 'rãs', 'alegre'],
    change: ['É melhor que seja sobre lagos', 'Então será sobre lagos.', 'lagos'],
    yes: 'sim, por favor',
    status: ['Como está o meu pedido?', 'Vou ver.'],
    result: ['O que saiu disso?', 'Aqui está.'],
  },
  it: {
    request: ['Scrivimi un haiku, per favore', 'Qui qualcuno lo fa.', 'Che tono deve avere?'],
    answer: ['Sulle rane, allegro', 'Sulle rane, dunque, con tono allegro.', 'rane', 'allegro'],
    change: ['Anzi, che parli di stagni', 'Allora parlerà di stagni.', 'stagni'],
    yes: 'sì, per favore',
    status: ['A che punto è il lavoro?', 'Guardo subito.'],
    result: ['Che cosa ne è uscito?', 'Eccolo.'],
  },
  tr: {
    request: ['Bana bir haiku yazar mısın lütfen?', 'Bunu yapan biri var.', 'Hangi havada olsun?'],
    answer: ['Kurbağalar hakkında, neşeli olsun', 'Kurbağalar hakkında, neşeli bir haiku.', 'Kurbağalar', 'neşeli'],
    change: ['Göletler hakkında olsun daha iyi', 'O hâlde göletler hakkında.', 'Göletler'],
    yes: 'evet, lütfen',
    status: ['İşim ne durumda?', 'Bakıyorum.'],
    result: ['Sonuç ne oldu?', 'İşte burada.'],
  },
  zh: {
    request: ['请帮我写一首俳句', '这里有人会写。', '要什么样的心情？'],
    answer: ['写青蛙，欢快一点', '那就写青蛙，欢快一点。', '青蛙', '欢快'],
    change: ['还是写池塘吧', '那就写池塘。', '池塘'],
    yes: '好的',
    status: ['现在怎么样了？', '我看一下。'],
    result: ['写出来的是什么？', '在这里。'],
  },
  ja: {
    request: ['俳句を一つ作ってください', 'ここに作れる者がいます。', 'どんな雰囲気にしますか？'],
    answer: ['蛙について、明るい感じで', '蛙について、明るい感じですね。', '蛙', '明るい'],
    change: ['やっぱり池にしてください', 'では池にします。', '池'],
    yes: 'はい、お願いします',
    status: ['進み具合はどうですか？', '見てみます。'],
    result: ['どんなものができましたか？', 'こちらです。'],
  },
  ru: {
    request: ['Напиши мне хайку, пожалуйста', 'Здесь есть кто это делает.', 'В каком настроении?'],
    answer: ['Про лягушек, весёлое', 'Значит, про лягушек, и весёлое.', 'лягушек', 'весёлое'],
    change: ['Лучше про пруды', 'Тогда про пруды.', 'пруды'],
    yes: 'да, пожалуйста',
    status: ['Как там моё хайку?', 'Сейчас посмотрю.'],
    result: ['Что получилось?', 'Вот оно.'],
  },
}

const turn = (words: string, tool: string, language: string, more: object = {}) => ({
  words,
  calls: [{ tool, language, ...more }],
})
/** Reads the messages of all voices. */
const read = (question: Question): unknown => {
  const text = newest(question)
  for (const [language, { request, answer, change, status, result }] of Object.entries(voices)) {
    if (text === request[0]) {
      const candidate = candidateWith(question, '"agent":"poet"')
      if (candidate < 0) return turn('', 'search_offerings', language, { query: 'Write a haiku about a topic' })
      return turn(request[1], 'propose_hire', language, {
        candidates: [candidate],
        task: text,
        input: {},
        ask: { mood: request[2] },
      })
    }
    if (text === answer[0]) return turn(answer[1], 'change_proposal', language, { input: { topic: answer[2], mood: answer[3] } })
    if (text === change[0]) return turn(change[1], 'change_proposal', language, { input: { topic: change[2] } })
    if (text === status[0]) return turn(status[1], 'job_status', language)
    if (text === result[0]) return turn(result[1], 'answer', language, { source: 'result' })
  }
  return {}
}
const asked: string[] = []
const brain: Brain = question => {
  if (question.kind === 'turn') return read(question)
  asked.push(question.text.slice(-400))
  return { text: '' }
}

const poem = {
  type: 'object',
  required: ['topic', 'mood'],
  properties: { topic: { type: 'string', description: 'Topic' }, mood: { type: 'string', description: 'Mood' } },
}
let server: Awaited<ReturnType<typeof startModelServer>>
let market: TestService
let poet: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  server = await startModelServer({ answer: brain })
  market = await startTestService({ env: { MODEL_BASE_URL: server.baseUrl, MODEL: 'scripted', LOG_LEVEL: 'silent' } })
  const offering = { id: 'haiku', name: 'Haiku about a topic', description: 'Writes a haiku.', requirement: poem }
  poet = await provider(market, { ...plain('0.5'), ...offering }, 'poet')
  await until('the poet to be found', async () =>
    JSON.stringify((await ask(market, '/offerings/search?query=haiku')).body).includes('"poet"'),
  )
})
afterAll(async () => {
  await market?.stop()
  await server?.close()
})

/** Names of strangers and the tag of the agent stand as they are. */
const withoutNames = (content: string) => content.replaceAll('Haiku about a topic', '').replace(/^Agent Id: .*$/m, '')
const english = /\b(?:of|accepted|payers?|usually|delivered|working|read|say|you|the|it|which|what|passed|terms|open|by|until)\b/i

test.each(Object.keys(voices))('a whole conversation with a model in %s is in that language, word for word', async language => {
  const { request, answer, change, yes, status, result } = voices[language] ?? {}
  if (!request || !answer || !change || !yes || !status || !result) throw new Error('there is no such voice')
  const user = await market.user(`voice-${language}`)
  const { say } = talk(user)
  const heard: string[] = []
  const hear = async (text: string, waitMs?: number) => {
    const it = await say(text, waitMs)
    heard.push(it.content)
    return it
  }
  const asks = await hear(request[0])
  expect(asks.data.questions?.map(it => it.field)).toEqual(['topic', 'mood'])
  expect(asks.content).toContain(request[2])
  const proposed = await hear(answer[0])
  expect(JSON.parse(proposed.data.proposal?.input ?? '{}')).toEqual({ topic: answer[2], mood: answer[3] })
  const changed = await hear(change[0])
  expect(JSON.parse(changed.data.proposal?.input ?? '{}')).toEqual({ topic: change[2], mood: answer[3] })
  // The model's own words are said where nothing in them is a claim.
  for (const [at, words] of [request[1], answer[1], change[1]].entries()) expect(heard[at]?.startsWith(words)).toBe(true)
  const { run_id } = await hear(yes, 0)
  await hear(status[0])
  await poet.deliver((await poet.take()).job_id, 'Splash')
  heard.push((await rested(user, run_id)).content)
  const told = await hear(result[0])
  expect(told.content).toMatch(/Splash$/)
  for (const it of heard) expect(withoutNames(it)).not.toMatch(english)
  // The tables have all sentences: a model translates none, and gets no deliverable to translate.
  expect(asked).toEqual([])
})

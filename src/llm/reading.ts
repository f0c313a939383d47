import { actMeanings } from '../../prompts/acts.ts'
import { readPrompt } from '../../prompts/read.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { acts, canBeSaid, type Situation } from '../domain/runs/acts.ts'
import { toOwnWords } from '../domain/text/ownWords.ts'
import { toQuotable, toSpoken } from '../domain/text/quotableText.ts'
import { parseExamples, readExampleText } from '../language/acts/examples.ts'
import { type Property, readJson, toProperties } from '../language/fields/requirement.ts'
import { withExactTexts } from '../language/filling/exact.ts'
import { fillRequest } from '../language/filling/fillRequest.ts'
import { takeChain } from '../language/text/wishes.ts'
import { spokenNumbers } from '../language/words/numerals.ts'
import type { Asking, Model, Shown, Slots, TurnReading, Understanding } from '../ports.ts'
import { type TurnAnswer, turnRead } from './answers.ts'
import type { createAsk } from './ask.ts'
import { combine, isSettled } from './combine.ts'
import { isGrounded } from './grounding.ts'

/** Text written by strangers is cut to this length in a prompt. */
const quotedChars = 300
const taskChars = 500
/** Example sentences of each act in a prompt. */
const examplesOfOne = 3

const price = /^\d{1,12}(\.\d{1,18})?$/
const nothingOpen: Situation = { stage: 'none', hasJob: false, hasEnded: false }
const nothingShown: Shown = { questions: [], choices: [] }

export const toInput = ({ name, type, description, required, allowed }: Property) => ({
  name: toQuotable(name, limits.nameChars),
  type: toQuotable(type, 20),
  description: toQuotable(description, quotedChars),
  required,
  allowed: allowed.map(it => toQuotable(String(it), 100)),
})

/** Reads a value as JSON. A model may omit the quotes of a string, so the plain text is tried next. */
const toValue = (property: Property, text: string): Json | undefined => [readJson(text), text].find(it => property.fits(it))

/** Values of a form that a model gives: only its own properties, of their types, and only what the user's words carry. */
export const toValues = (properties: Property[], values: { name: string; value: string }[], said: string): JsonObject => {
  const given = new Map(values.map(it => [it.name, it.value]))
  return Object.fromEntries(
    properties.flatMap(property => {
      const text = given.get(property.name)
      const value = text === undefined ? undefined : toValue(property, text)
      // The model may choose a listed value for the user's own words. Every other value must occur in those words.
      const isSaid = value !== undefined && (property.allowed.length > 0 || isGrounded(value, said))
      return isSaid ? [[property.name, value] as const] : []
    }),
  )
}

const toOffer = (it: { name: string; agent: string; price: string }) => ({
  name: toQuotable(it.name, quotedChars),
  agent: toQuotable(it.agent, quotedChars),
  priceUsdc: it.price,
})

const isSame = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** The first task and its limits: a price that was said, an agent and a deadline in the words of the message. */
const toWish = ({ tasks, act, maxPrice, agent, deadline, category }: TurnAnswer, said: string[]): Understanding => {
  const asSaid = (words: string | null) =>
    words && said.some(it => it.toLowerCase().includes(words.toLowerCase())) ? words : undefined
  const numbers = spokenNumbers(said.join('\n'))
  return {
    intent: tasks.length > 0 ? 'task' : act === 'greeting' || act === 'thanks' ? 'smalltalk' : 'help',
    task: toQuotable(tasks[0]?.search ?? '', taskChars),
    maxPrice: maxPrice && price.test(maxPrice) && numbers.has(Number(maxPrice)) ? maxPrice : undefined,
    agent: asSaid(agent)?.replace(/^@/, ''),
    deadline: asSaid(deadline),
    chainId: said.map(it => takeChain(it).found).findLast(it => it !== undefined),
    category: asSaid(category),
  }
}

/** The values of the open form, with pasted texts as they stand in the message. */
const readInputs = (text: string, requirement: JsonObject | undefined, values: JsonObject): JsonObject =>
  requirement ? withExactTexts(values, fillRequest({ text, requirement, now: Date.now() }).values, [text]) : values

const asLiteral = (word: string) => word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
/** The part of a message that has these words, with its own line breaks and blanks. */
const partOf = (text: string, words: string): string =>
  new RegExp(words.split(/\s+/).map(asLiteral).join(String.raw`\s+`), 'i').exec(text)?.[0] ?? words

/** Tasks in the words of the message, all of them or none. */
const toTasks = ({ tasks }: TurnAnswer, text: string, restore: (of: string) => string): string[] => {
  const words = tasks.map(it => restore(it.words).trim())
  return words.every(it => it !== '' && isSame(text).includes(isSame(it))) ? words.map(it => partOf(text, it)) : []
}

/** Sentences of each act, which the question shows to the model. */
const readExamples = async (): Promise<Map<string, string[]>> => {
  const byAct = Map.groupBy(parseExamples(await readExampleText()), it => it.act)
  return new Map([...byAct].map(([act, of]) => [act, of.slice(0, examplesOfOne).map(it => it.text)]))
}

/** `rules`: the reader without a model. `id`: the model's name in the record of a turn. */
type Reader = { ask: ReturnType<typeof createAsk>; rules: Model; id: string }

/**
 * Reads a message through one question: its act, and what it states for the form and the search. The reader without a model
 * reads it, too, and bounds the answer. The model does not see quoted and pasted material.
 */
export const createReading = ({ ask, rules, id }: Reader): Pick<Model, 'read' | 'understand'> => {
  let examples: Promise<Map<string, string[]>> | undefined
  const question = async (text: string, situation: Situation, { offering, questions, choices, requirement, input }: Shown) => {
    examples ??= readExamples()
    const known = await examples
    const { stage, hasJob, hasEnded } = situation
    return readPrompt({
      text,
      acts: acts
        .filter(it => canBeSaid(it, text, situation))
        .map(act => ({ act, meaning: actMeanings[act], examples: known.get(act) ?? [] })),
      situation: { open: stage, jobUnderWay: hasJob, jobEnded: hasEnded },
      offering: offering && { ...toOffer(offering), input: toQuotable(JSON.stringify(input ?? {}), taskChars) },
      questions: questions.map(it => toQuotable(it, quotedChars)),
      choices: choices.map(toOffer),
      form: toProperties(requirement ?? {}).map(toInput),
    })
  }

  const readWith = async (
    of: { text: string; situation: Situation; shown: Shown },
    spend: Asking,
  ): Promise<{ answer: TurnAnswer; slots: Slots }> => {
    const spoken = toSpoken(of.text, limits.messageChars)
    const own = toOwnWords(spoken)
    const texts = await question(own.text, of.situation, of.shown)
    const answer = await ask({ name: 'reading', schema: turnRead, ...spend, ...texts })
    const { language, choice, inputs } = answer
    const slots = {
      language: /^[a-z]{2,3}\b/.exec(language.toLowerCase())?.[0] ?? 'en',
      tasks: toTasks(answer, spoken, own.restore),
      wish: toWish(answer, [own.text]),
      inputs: readInputs(of.text, of.shown.requirement, toValues(toProperties(of.shown.requirement ?? {}), inputs, spoken)),
      ...(choice !== null && of.shown.choices[choice] && { choice }),
    }
    return { answer, slots }
  }

  return {
    async read(of, asking = {}): Promise<TurnReading> {
      const reader = { ...(await rules.read(of)), by: id }
      if (isSettled(reader, of.situation)) return reader
      const { answer, slots } = await readWith({ ...of, shown: of.shown ?? nothingShown }, asking)
      const isPossible = canBeSaid(answer.act, of.text, of.situation)
      return { ...(isPossible ? combine(reader, answer.act, of.situation) : reader), slots }
    },

    async understand(said, asking = {}) {
      const texts = await question(said.map(it => toSpoken(it, limits.messageChars)).join('\n'), nothingOpen, nothingShown)
      return toWish(await ask({ name: 'reading', schema: turnRead, ...asking, ...texts }), said)
    },
  }
}

import { z } from 'zod'
import { type TurnSlots, turnPrompt } from '../../prompts/turn.ts'
import type { JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { toQuotable, toSpoken } from '../domain/text/quotableText.ts'
import { type Property, toProperties } from '../language/fields/requirement.ts'
import type { TurnCandidate, TurnQuestion } from '../ports.ts'

/** Text written by strangers is cut to this length in a prompt. */
const quotedChars = 300
/** Values of an open form, and a deliverable. */
const taskChars = 500
const lookedChars = 4_000
/** Inputs of a form, its allowed values and the examples of an offering. More would cost tokens and help little. */
const maxInputs = 20
const maxAllowed = 40
const maxExamples = 2
const exampleChars = 100
/** What an offering says it does stands at the beginning. */
const descriptionChars = 200
/** Schema of an object or a list inside a form. */
const nestedChars = 400

const toForm = (requirement: JsonObject): TurnSlots['candidates'][number]['inputs'] =>
  Object.fromEntries(
    toProperties(requirement)
      .slice(0, maxInputs)
      .map(it => [toQuotable(it.name, limits.nameChars), toInput(it, requirement)]),
  )

/** What the value of an input looks like, in one line: `string, one of a | b*: Style`. Objects and lists show their schema. */
const toInput = (it: Property, requirement: JsonObject): string => {
  const schema = new Map(Object.entries(requirement.properties ?? {})).get(it.name)
  const isNested = it.type === 'object' || (it.type === 'array' && !isListOfTexts(schema))
  const allowed = it.allowed.slice(0, maxAllowed).map(one => toQuotable(String(one), 100))
  const parts = [
    toQuotable(it.type, 20),
    toQuotable([it.format, it.pattern].filter(Boolean).join(' '), 100),
    allowed.length > 0 ? `one of ${allowed.join(' | ')}` : '',
    isNested ? toQuotable(JSON.stringify(schema ?? {}), nestedChars) : '',
  ]
  const description = toQuotable(it.description, quotedChars)
  return `${parts.filter(Boolean).join(', ')}${it.required ? '*' : ''}${description && `: ${description}`}`
}

const listOfTexts = z.object({ items: z.object({ type: z.literal('string') }).strict() })
const isListOfTexts = (schema: unknown): boolean => listOfTexts.safeParse(schema).success

const toCandidate = (it: TurnCandidate) => ({
  name: toQuotable(it.name, quotedChars),
  agent: toQuotable(it.agent, limits.nameChars),
  description: toQuotable(it.description, descriptionChars),
  ...(it.examples.length > 0 && { examples: it.examples.slice(0, maxExamples).map(one => toQuotable(one, exampleChars)) }),
  priceUsdc: it.price,
  minutes: it.slaMinutes,
  inputs: toForm(it.requirement),
})

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
/** Today with its weekday and zone, and no time: equal questions of a day are equal texts. Code counts times. */
const toToday = (now: number) => `${weekday.format(now)} ${new Date(now).toISOString().slice(0, 10)}, time zone UTC`

/** What a model sees of a turn, as text. */
export const toTurnPrompt = ({ now, text, situation, talk, open, shown, candidates, looked }: TurnQuestion): string =>
  turnPrompt({
    now: toToday(now),
    talk: talk.messages.map(it => ({ by: it.by, text: toQuotable(it.text, quotedChars) })),
    situation: { open: situation.stage, jobUnderWay: situation.hasJob, jobEnded: situation.hasEnded },
    open: open && {
      name: toQuotable(open.name, quotedChars),
      agent: toQuotable(open.agent, limits.nameChars),
      priceUsdc: open.price,
      input: toQuotable(JSON.stringify(open.input), taskChars),
      questions: open.questions.map(it => toQuotable(it, quotedChars)),
      form: toForm(open.requirement),
    },
    jobs: talk.jobs.map(it => ({
      offering: toQuotable(it.offering, quotedChars),
      agent: toQuotable(it.agent, limits.nameChars),
      state: it.state,
      priceUsdc: it.price,
    })),
    deliverable: toQuotable(talk.deliverable ?? '', taskChars),
    shown,
    candidates: candidates.map(toCandidate),
    looked: looked.map(it => ({ ...it, found: toQuotable(it.found, lookedChars) })),
    text: toSpoken(text, limits.messageChars),
  })

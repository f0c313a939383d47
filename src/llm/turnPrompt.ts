import { type TurnSlots, turnPrompt } from '../../prompts/turn.ts'
import { isObject, type JsonObject, jsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { withoutMarks } from '../domain/text/ownWords.ts'
import { toQuotable, toSpoken } from '../domain/text/quotableText.ts'
import { isWords, toSlot } from '../language/fields/fields.ts'
import { type Property, toProperties } from '../language/fields/requirement.ts'
import { takesLanguageCode } from '../language/values/regions.ts'
import { tellLanguage } from '../language/words/language.ts'
import type { TurnCandidate, TurnOpen, TurnQuestion } from '../ports.ts'

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
/** The shape of an object or a list inside a form, the descriptions of its members, and how deep they are shown. */
const shapeChars = 500
const memberChars = 60
const shownDepth = 3

const toForm = (requirement: JsonObject): TurnSlots['candidates'][number]['inputs'] =>
  Object.fromEntries(
    toProperties(requirement)
      .slice(0, maxInputs)
      .map(it => [toQuotable(it.name, limits.nameChars), toInput(it, requirement)]),
  )

/** What the value of an input looks like, in one line: `string, one of a | b*: Style`. */
const toInput = (it: Property, requirement: JsonObject): string => {
  const shape = toQuotable(toShape(it, schemaOf(requirement, it), shownDepth), shapeChars)
  const description = toQuotable(it.description, quotedChars)
  return `${shape}${it.required ? '*' : ''}${description && `: ${description}`}`
}

const schemaOf = (schema: JsonObject, { path }: Property): JsonObject =>
  jsonObject.catch({}).parse(new Map(Object.entries(jsonObject.catch({}).parse(schema.properties))).get(path.at(-1) ?? ''))

/** The form of a value. Objects show their members, and lists their items: `list of {name*: words, count: integer}`. */
const toShape = (it: Property, schema: JsonObject, depth: number): string => {
  const members = depth > 0 && it.type === 'object' ? toProperties(schema).slice(0, maxInputs) : []
  if (members.length > 0) return `{${members.map(member => toMember(member, schema, depth)).join(', ')}}`
  const items = { properties: { item: schema.items ?? {} } }
  const [item] = depth > 0 && it.type === 'array' && isObject(schema.items) ? toProperties(items) : []
  if (item) return `list of ${toShape(item, schemaOf(items, item), depth - 1)}`
  const allowed = it.allowed.slice(0, maxAllowed).map(one => toQuotable(String(one), 100))
  const own = allowed.length > 0 ? `one of ${allowed.join(' | ')}` : toKind(it)
  return [own, toQuotable([it.format, it.pattern].filter(Boolean).join(' '), 100)].filter(Boolean).join(', ')
}

const toMember = (it: Property, schema: JsonObject, depth: number): string => {
  const described = toQuotable(it.description, memberChars)
  const shape = toShape(it, schemaOf(schema, it), depth - 1)
  return `${toQuotable(it.name, limits.nameChars)}${it.required ? '*' : ''}: ${shape}${described && ` (${described})`}`
}

/** Whose words a text is, and whether a language is told by a code or a name; else the type. */
const toKind = (it: Property): string => {
  const slot = toSlot(it)
  if (slot.type !== 'string' || it.pattern !== '' || it.format !== '') return toQuotable(it.type, 20)
  if (slot.kind === 'language') return takesLanguageCode(slot) ? 'code of a language' : 'English name of a language'
  return isWords(slot) ? 'words' : 'string'
}

const toCandidate = (it: TurnCandidate) => ({
  name: toQuotable(it.name, quotedChars),
  agent: toQuotable(it.agent, limits.nameChars),
  description: toQuotable(it.description, descriptionChars),
  ...(it.examples.length > 0 && { examples: it.examples.slice(0, maxExamples).map(one => toQuotable(one, exampleChars)) }),
  priceUsdc: it.price,
  minutes: it.slaMinutes,
  ...(it.beyond && { beyond: toQuotable(it.beyond, quotedChars) }),
  inputs: toForm(it.requirement),
})

/** What a model sees of quoted material: enough to choose the input and the language, too little to be led by it. */
const maxTexts = 5
const begunChars = 60
const toText = (text: string, at: number) => {
  const own = withoutMarks(text)
  const language = tellLanguage(own)
  const begins = toQuotable(own, begunChars)
  return { mark: `[text ${at + 1}]`, characters: own.length, ...(language !== undefined && { language }), begins }
}

/** Today with its weekday and zone, and no time: equal questions of a day are equal texts. Code counts times. */
const toToday = (now: number, timeZone = 'UTC') => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now)
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone }).format(now)
  return `${weekday} ${day}, time zone ${timeZone}`
}

/** An open offering. What its candidate says is not said again. */
const toOpen = (open: TurnOpen, candidates: TurnCandidate[]): NonNullable<TurnSlots['open']> => {
  const candidate = candidates.findIndex(it => it.name === open.name && it.agent === open.agent)
  const { name, agent, description, minutes, inputs: form } = toCandidate({ ...open, examples: [], beyond: '' })
  return {
    ...(candidate >= 0 && { candidate }),
    ...{ name, agent, priceUsdc: open.price, input: toQuotable(JSON.stringify(open.input), taskChars) },
    ...(open.questions.length > 0 && { questions: open.questions.map(it => toQuotable(it, quotedChars)) }),
    ...(candidate < 0 && { description, minutes, form }),
  }
}

export const toTurnPrompt = ({
  now,
  timeZone,
  text,
  texts = [],
  situation,
  talk,
  open,
  steps,
  shown,
  candidates,
  looked,
}: TurnQuestion) =>
  turnPrompt({
    now: toToday(now, timeZone),
    talk: talk.messages.map(it => ({ by: it.by, text: toQuotable(it.text, quotedChars) })),
    situation: { open: situation.stage, jobUnderWay: situation.hasJob, jobEnded: situation.hasEnded },
    open: open && toOpen(open, candidates),
    steps: (steps ?? []).map(it => toOpen(it, candidates)),
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
    texts: texts.slice(0, maxTexts).map(toText),
    text: toSpoken(text, limits.messageChars),
  })

import { checkInput, isFieldFitting } from '../../../src/domain/inputCheck.ts'
import type { Json, JsonObject } from '../../../src/domain/json.ts'
import { limits } from '../../../src/domain/limits.ts'
import type { Listing } from '../../../src/domain/offering.ts'
import { takesPlainText } from '../../../src/domain/plainInput.ts'
import { type Question, toForm } from '../../../src/domain/question.ts'
import { readingsOf } from '../../../src/domain/readings.ts'
import { choicesOf, fieldsOf } from '../../../src/domain/schema.ts'
import type { ButlerDeps } from '../deps.ts'
import { asked } from '../metered.ts'
import { speak } from '../speak.ts'
import type { ButlerState, Update } from '../state.ts'

/** Fills the requirement's inputs from the user's own words, and finds inputs that are missing or ambiguous. */
export const fill =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { readListing, tell, now } = deps
    const { runId, said, turn, pick, input: known, open: unclear, times, target, given, until } = state
    const listing = pick && (await readListing(pick.agentId, pick.offeringId))
    if (!listing) return { input: {}, questions: [], open: {} }
    const { requirement } = listing
    const form = toFormSchema(requirement)
    // In lower case, the agent's name is part of the listing's own words. A capitalised name would count as a possible value.
    const about = {
      said,
      requirement,
      listing: `${listing.name}\n${listing.description}\n${listing.agentName.toLowerCase()}`,
      now: now(),
    }
    const isGiven = Object.keys(given).length > 0
    const question = { runId, key: `fill:${turn}`, until }
    const filled = isGiven
      ? given
      : await asked(deps, question, (model, asking) => model.fill({ ...about, ...toStep(state) }, asking))
    // A message to an agent that takes plain text is its input, unchanged.
    const called: Input = target && takesPlainText(requirement) ? { text: said.join('\n') } : {}
    const whole = ofFields(form, { ...called, ...known, ...filled, ...decided(unclear, said.at(-1) ?? '') })
    const open = readingsIn(whole, said)
    const input = Object.fromEntries(Object.entries(whole).filter(([name]) => !open.has(name)))
    const { questions, lead } = await spoken(deps, state, {
      questions: questionsFor(form, input, open),
      lead: leadOf(listing, input),
    })
    if (questions.length > 0)
      await tell(runId, {
        kind: 'asked',
        summary: [lead, ...questions.map(it => it.words)].join(' '),
        data: { questions, offering: listing.name },
        key: `asked:${turn}`,
      })
    const isSame = questions.map(it => it.field).join() === state.questions.map(it => it.field).join()
    return { input, questions, lead, open: Object.fromEntries(open), times: isSame ? times + 1 : 1 }
  }

type Asked = { questions: Question[]; lead: string }

/** The questions in the language of the user; their forms stay as the provider wrote them. */
const spoken = async (deps: ButlerDeps, state: ButlerState, { questions, lead }: Asked): Promise<Asked> => {
  if (questions.length === 0) return { questions, lead: '' }
  const text = [lead, ...questions.map(it => it.words)].map(it => it.replaceAll('\n', ' ')).join('\n')
  const said = await speak(deps, state, { key: 'asked', text })
  if (said === text) return { questions, lead }
  const [first = lead, ...words] = said.split('\n')
  return { lead: first, questions: questions.map((it, at) => ({ ...it, words: words[at] ?? it.words })) }
}

/** Tells the model how to read the newest message: as the request, an answer to questions, or a change of known inputs. */
const toStep = ({ act, said, input, questions, times, isAmended }: ButlerState) => {
  const text = said.at(-1) ?? ''
  if (questions.length > 0 && act !== 'task')
    return { text, known: input, asked: { fields: questions.map(it => it.field), times: Math.max(1, times) } }
  if ((act === 'change' || isAmended) && Object.keys(input).length > 0) return { text, known: input }
  return {}
}

/** An offering without a requirement takes a single text. */
const toFormSchema = (requirement: Requirement): Requirement =>
  takesPlainText(requirement)
    ? {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string', description: 'what it is to work on, in your words' } },
      }
    : requirement

type Requirement = JsonObject
type Input = ButlerState['input']
type Readings = Map<string, [string, string]>

const namesOf = (requirement: Requirement) => (takesPlainText(requirement) ? ['text'] : fieldsOf(requirement).map(it => it.name))

// Returns the known inputs in schema order, without fields that the offering has removed since.
const ofFields = (requirement: Requirement, known: Input): Input =>
  Object.fromEntries(
    namesOf(requirement).flatMap(name => (Object.hasOwn(known, name) ? [[name, known[name] ?? null] as const] : [])),
  )

/** Returns the readings of ambiguous inputs that the user's answer names. */
const decided = (asked: ButlerState['open'], answer: string): Input =>
  Object.fromEntries(
    Object.entries(asked).flatMap(([name, readings]) => {
      const [only, ...more] = readings.filter(it => answer.toLowerCase().includes(it.toLowerCase()))
      return only !== undefined && more.length === 0 ? [[name, only] as const] : []
    }),
  )

const readingsIn = (input: Input, said: string[]): Readings =>
  new Map(
    Object.entries(input).flatMap(([name, value]) => {
      const readings = readingsOf(value, said)
      return readings ? [[name, readings] as const] : []
    }),
  )

const questionsFor = (requirement: Requirement, input: Input, open: Readings): Question[] => {
  const fields = fieldsOf(requirement)
  const unclear = fields.filter(it => open.has(it.name))
  const verdict = checkInput(requirement, input)
  if (verdict.pass && unclear.length === 0) return []
  const wrong = fields.filter(({ name, required }) =>
    Object.hasOwn(input, name) ? !isFieldFitting(requirement, name, input[name] ?? null) : required,
  )
  const asked = [...unclear, ...wrong.filter(it => !open.has(it.name))]
  const some = (asked.length > 0 ? asked : fields).slice(0, limits.questionsAtOnce)
  return some.map(it => {
    const readings = open.get(it.name)
    const form = toForm(requirement, it)
    const words = readings ? `Which ${toLabel(it.name)} do you mean: ${readings.join(' or ')}?` : wordsFor(requirement, it)
    return {
      field: it.name,
      words,
      form: readings ? { ...form, description: '', enum: readings } : form,
    }
  })
}

/** States the agent, the price and the known inputs. */
const leadOf = ({ name, agentName, agentHandle, price }: Listing, input: Input): string => {
  const known = Object.entries(input).map(([field, value]) => `${toLabel(field)} ${toShort(value)}`)
  const so = known.length > 0 ? ` I have ${known.join(', ')}.` : ''
  return `“${name}” by ${agentName} (${agentHandle}) does this for ${price} USDC.${so}`
}

const shownChars = 60
const toShort = (value: Json) => {
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : JSON.stringify(value)
  return text.length > shownChars ? `“${text.slice(0, shownChars)}…”` : text
}

const toLabel = (name: string) =>
  name
    .replace(/[_-]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()

const maxChoices = 8
const wordsFor = (requirement: Requirement, { name, description }: { name: string; description: string }): string => {
  const choices = choicesOf(requirement, name)
  const few = choices.length > 1 && choices.length <= maxChoices
  const of = few ? `: ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` : ''
  const told = description && description.toLowerCase() !== toLabel(name) ? ` (${description})` : ''
  return `What should the ${toLabel(name)} be${of}?${told}`
}

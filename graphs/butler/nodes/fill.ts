import { limits } from '../../../src/domain/limits.ts'
import { takesPlainText } from '../../../src/domain/plainInput.ts'
import { type Question, toForm } from '../../../src/domain/question.ts'
import { readingsOf } from '../../../src/domain/readings.ts'
import { checkValue, choicesOf, fieldsOf, isFitting } from '../../../src/domain/schema.ts'
import type { ButlerDeps } from '../deps.ts'
import { metered } from '../metered.ts'
import type { ButlerState, Update } from '../state.ts'

/** Fills the requirement's input from the user's own words, and finds what is still missing or left open. */
export const fill =
  ({ model, readListing, tell, now }: ButlerDeps) =>
  async ({ runId, said, pick, input: known, open: asked }: ButlerState): Promise<Update> => {
    const listing = pick && (await readListing(pick.agentId, pick.offeringId))
    if (!listing) return { input: {}, questions: [], open: {} }
    const { requirement } = listing
    const filled = await metered({ tell }, { runId, key: `fill:${said.length}` }, spend =>
      model.fill({ said, requirement, listing: `${listing.name}\n${listing.description}`, now: now() }, spend),
    )
    const whole = ofFields(requirement, { ...known, ...filled, ...decided(asked, said.at(-1) ?? '') })
    const open = readingsIn(whole, said)
    const input = Object.fromEntries(Object.entries(whole).filter(([name]) => !open.has(name)))
    const questions = questionsFor(requirement, input, open)
    if (questions.length > 0)
      await tell(runId, {
        kind: 'asked',
        summary: questions.map(it => it.words).join(' '),
        data: { questions, offering: listing.name },
        key: `asked:${said.length}`,
      })
    return { input, questions, open: Object.fromEntries(open) }
  }

type Requirement = Parameters<typeof fieldsOf>[0]
type Input = ButlerState['input']
type Readings = Map<string, [string, string]>

const namesOf = (requirement: Requirement) => (takesPlainText(requirement) ? ['text'] : fieldsOf(requirement).map(it => it.name))

// In the order of the form; the offering may have changed since it asked.
const ofFields = (requirement: Requirement, known: Input): Input =>
  Object.fromEntries(
    namesOf(requirement).flatMap(name => (Object.hasOwn(known, name) ? [[name, known[name] ?? null] as const] : [])),
  )

/** Which of two readings the user's answer names. */
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

/** An offering without a form takes the user's own words. */
const plainQuestion: Question = { field: 'text', words: 'What is the text or the task? Write it as it is to be sent.' }

const questionsFor = (requirement: Requirement, input: Input, open: Readings): Question[] => {
  if (takesPlainText(requirement)) return typeof input.text === 'string' ? [] : [plainQuestion]
  const fields = fieldsOf(requirement)
  const unclear = fields.filter(it => open.has(it.name))
  const verdict = checkValue(requirement, input)
  if (verdict.pass && unclear.length === 0) return []
  const wrong = fields.filter(({ name, required }) =>
    Object.hasOwn(input, name) ? !isFitting(requirement, name, input[name] ?? null) : required,
  )
  const asked = [...unclear, ...wrong.filter(it => !open.has(it.name))]
  return (asked.length > 0 ? asked : fields).slice(0, limits.questionsAtOnce).map(it => {
    const readings = open.get(it.name)
    const words = readings ? `Which "${it.name}" do you mean: ${readings.join(' or ')}?` : wordsFor(requirement, it)
    const form = toForm(requirement, it)
    return {
      field: it.name,
      words: `${words}${it.description && ` (${it.description})`}`,
      form: readings ? { ...form, description: '', enum: readings } : form,
    }
  })
}

const mostChoices = 8
const wordsFor = (requirement: Requirement, { name }: { name: string }): string => {
  const choices = choicesOf(requirement, name)
  const few = choices.length > 1 && choices.length <= mostChoices
  return few ? `What should "${name}" be: ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}?` : `What should "${name}" be?`
}

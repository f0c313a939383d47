import { limits } from '../../../src/domain/limits.ts'
import { checkValue, fieldsOf, isFitting } from '../../../src/domain/schema.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Question, Update } from '../state.ts'

/** Fills the requirement's input from the user's own words, and finds what is still missing. */
export const fill =
  ({ model, readListing, tell }: ButlerDeps) =>
  async ({ runId, said, pick, input: known }: ButlerState): Promise<Update> => {
    const listing = pick && (await readListing(pick.agentId, pick.offeringId))
    if (!listing) return { input: {}, questions: [] }
    const filled = await model.fill({ said, requirement: listing.requirement })
    const input = { ...ofFields(listing.requirement, known), ...filled }
    const questions = questionsFor(listing.requirement, input)
    if (questions.length > 0)
      await tell(runId, {
        kind: 'asked',
        summary: questions.map(it => it.words).join(' '),
        data: { questions, offering: listing.name },
        key: `asked:${said.length}`,
      })
    return { input, questions }
  }

type Requirement = Parameters<typeof fieldsOf>[0]
type Input = ButlerState['input']

// The offering may have changed since it asked.
const ofFields = (requirement: Requirement, known: Input): Input => {
  const names = new Set(fieldsOf(requirement).map(it => it.name))
  return Object.fromEntries(Object.entries(known).filter(([name]) => names.has(name)))
}

const questionsFor = (requirement: Requirement, input: Input): Question[] => {
  if (checkValue(requirement, input).pass) return []
  const wrong = fieldsOf(requirement).filter(({ name, required }) =>
    Object.hasOwn(input, name) ? !isFitting(requirement, name, input[name] ?? null) : required,
  )
  const asked = wrong.length > 0 ? wrong : fieldsOf(requirement)
  return asked
    .slice(0, limits.questionsAtOnce)
    .map(it => ({ field: it.name, words: `What should "${it.name}" be?${it.description && ` (${it.description})`}` }))
}

import type { JsonObject } from '../../../src/domain/json.ts'
import type { StepPurchase } from '../../../src/domain/plans/plan.ts'
import { toSum } from '../../../src/domain/runs/purchaseTerms.ts'
import type { Question } from '../../../src/domain/runs/question.ts'
import { toMembers } from '../../../src/domain/text/labelled.ts'
import type { ButlerDeps } from '../deps.ts'
import type { Draft } from '../state.ts'

/** A step as it is known before its plan has terms. */
type Known = {
  number: number
  task: string
  agent_handle: string
  offering_name: string
  price: string
  input: JsonObject
} & Pick<StepPurchase, 'scheme'>
type Asked = { questions: Question[]; lead: string; steps: Known[] }

/** The questions of all steps as one form. A field that several steps ask for has the number of its step before it. */
export const toPlanQuestions = async ({ readListing }: ButlerDeps, drafts: readonly Draft[]): Promise<Asked> => {
  const asking = drafts.flatMap((draft, at) => (draft.questions.length > 0 ? [{ draft, number: at + 1 }] : []))
  const read = async (draft: Draft, at: number): Promise<Known[]> => {
    const { pick, words: task, values: input, purchase } = draft
    if (purchase) return [toBought(purchase, { number: at + 1, task })]
    const listing = pick && (await readListing(pick.agentId, pick.offeringId))
    if (!listing) return []
    const { agentHandle: agent_handle, name: offering_name, price } = listing
    return [{ number: at + 1, task, agent_handle, offering_name, price, input }]
  }
  const steps = (await Promise.all(drafts.map(read))).flat()
  return {
    questions: asking.flatMap(({ draft, number }) =>
      draft.questions.map(it => ({
        ...it,
        field: fieldOf(drafts, it.field, number),
        words: asking.length > 1 ? `${number}. ${it.words}` : it.words,
      })),
    ),
    lead: steps
      .map(it =>
        toLead(
          it,
          asking.some(one => one.number === it.number),
        ),
      )
      .join(' '),
    steps,
  }
}

const toBought = ({ url, method, total: price, scheme }: StepPurchase, of: Pick<Known, 'number' | 'task'>): Known => ({
  ...{ ...of, price, agent_handle: new URL(url).host, offering_name: `${method} ${url}`, input: {} },
  ...(scheme && { scheme }),
})

/** Every step is named, so that nobody thinks that a task was lost. */
const toLead = ({ number, offering_name, agent_handle, price, scheme, input }: Known, isAsking: boolean): string => {
  const has = Object.keys(input).length === 0 ? '' : `: ${toMembers(JSON.stringify(input)).join('; ')}`
  const sum = toSum({ total: price, scheme })
  return `Step ${number}, “${offering_name}” by ${agent_handle} for ${sum} USDC, ${isAsking ? 'needs more' : 'is ready'}${has}.`
}

const fieldOf = (drafts: readonly Draft[], field: string, number: number): string =>
  drafts.filter(it => it.questions.some(one => one.field === field)).length > 1 ? `${number}.${field}` : field

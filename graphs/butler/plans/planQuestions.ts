import type { Question } from '../../../src/domain/runs/question.ts'
import type { ButlerDeps } from '../deps.ts'
import type { Draft } from '../state.ts'

type Asked = { questions: Question[]; lead: string }

/** The questions of all steps as one form. A field that several steps ask for has the number of its step before it. */
export const toPlanQuestions = async ({ readListing }: ButlerDeps, drafts: readonly Draft[]): Promise<Asked> => {
  const asking = drafts.flatMap((draft, at) => (draft.questions.length > 0 ? [{ draft, number: at + 1 }] : []))
  const leads = await Promise.all(
    asking.map(async ({ draft: { pick }, number }) => {
      const listing = pick && (await readListing(pick.agentId, pick.offeringId))
      return listing ? `Step ${number}, “${listing.name}” by ${listing.agentHandle} for ${listing.price} USDC, needs more.` : ''
    }),
  )
  return {
    questions: asking.flatMap(({ draft, number }) =>
      draft.questions.map(it => ({
        ...it,
        field: fieldOf(drafts, it.field, number),
        words: asking.length > 1 ? `${number}. ${it.words}` : it.words,
      })),
    ),
    lead: leads.filter(Boolean).join(' '),
  }
}

const fieldOf = (drafts: readonly Draft[], field: string, number: number): string =>
  drafts.filter(it => it.questions.some(one => one.field === field)).length > 1 ? `${number}.${field}` : field

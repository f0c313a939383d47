import { sha256 } from '../../../src/domain/json.ts'
import { turnCall } from '../../../src/domain/runs/turnCall.ts'
import { readTasks } from '../../../src/language/tasks/readTasks.ts'
import type { LanguageModel, Model, TurnAnswer, TurnQuestion } from '../../../src/ports.ts'

/** Half of all texts. The same text always gives the same result. */
const isHalf = (text: string) => Number.parseInt(sha256(text).slice(0, 8), 16) % 2 === 0

/** Half of all users have a wish about the result: the last words of their message. */
const wishesOf = (text: string) => (isHalf(text) ? [text.split(' ').slice(-2).join(' ')] : [])

/**
 * A language model of the simulation: it calls the tools that the rules would call, and half of all deliverables seem to miss a
 * wish.
 */
export const createTalker = (rules: Model, hear: (of: unknown) => void): LanguageModel => {
  const toCalls = async ({ text, situation, open, candidates, now }: TurnQuestion) => {
    const { act } = await rules.read({ text, situation })
    const wishes = wishesOf(text)
    if (open && (act === 'answer' || act === 'change')) {
      const asked = situation.stage === 'ask' ? Object.keys(open.requirement.properties ?? {}) : []
      const of = { said: [text], text, known: open.input, requirement: open.requirement, now }
      return [{ tool: 'change_proposal', input: await rules.fill({ ...of, asked: { fields: asked } }), wishes }]
    }
    if (act !== 'task') return [{ tool: 'answer', source: act }]
    const listings = candidates.map(it => ({ ...it, coverage: 1, score: 1 }))
    return Promise.all(
      readTasks(text).map(async ({ words: task }) => {
        const [pick = 0] = (await rules.choose({ task, listings })).picks
        const requirement = candidates[pick]?.requirement ?? {}
        const input = await rules.fill({ said: [task], requirement, now })
        return { tool: 'propose_hire', candidates: [pick], task, input, wishes }
      }),
    )
  }
  return {
    id: 'simulated',
    async turn(of): Promise<TurnAnswer> {
      hear(of)
      const calls = await toCalls(of)
      return { words: 'Here is what I found.', calls: calls.map(it => turnCall.parse({ ...it, language: 'en' })) }
    },
    phrase: async ({ text }) => text,
    judge: async ({ wishes, deliverable }) =>
      wishes.map(() => ({ outcome: isHalf(deliverable) ? 'fail' : 'pass', evidence: deliverable.slice(0, 20) })),
  }
}

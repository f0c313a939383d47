import { readConsent } from '../../../src/domain/consent.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

const nothingOpen = 'Nothing waits for a yes or no. Tell me in plain words what you need done.'

/** What followed from other words counts no more. */
const unread = { found: [], pick: undefined, input: {}, questions: [], proposal: undefined, decision: undefined } satisfies Update

/** Reads what the user wants out of everything they said in this run. */
export const understand =
  ({ model, tell }: ButlerDeps) =>
  async ({ runId, said, target }: ButlerState): Promise<Update> => {
    // Whoever calls an agent wants it to work, whatever the words are.
    if (target) return { ...unread, intent: 'task', task: said.join('\n'), agent: target }
    if (said.length === 1 && readConsent(said[0] ?? '') !== 'change') return { intent: 'help', answer: nothingOpen }
    const { intent, task, maxPrice, agent } = await model.understand(said)
    await tell(runId, {
      kind: 'understood',
      summary: intent === 'task' ? `Understood: ${task}` : 'Understood.',
      data: { intent, task, ...(maxPrice && { max_price: maxPrice }), ...(agent && { agent }), model: model.id },
      key: `understood:${said.length}`,
    })
    return { ...unread, intent, task, maxPrice, agent }
  }

import { readConsent } from '../../../src/domain/consent.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

const nothingOpen = 'Nothing waits for a yes or no. Tell me in plain words what you need done.'

/** Reads what the user wants out of everything they said in this run. */
export const understand =
  ({ model, tell }: ButlerDeps) =>
  async ({ runId, said }: ButlerState): Promise<Update> => {
    if (said.length === 1 && readConsent(said[0] ?? '') !== 'change') return { intent: 'help', answer: nothingOpen }
    const { intent, task, maxPrice, agent } = await model.understand(said)
    await tell(runId, {
      kind: 'understood',
      summary: intent === 'task' ? `Understood: ${task}` : 'Understood.',
      data: { intent, task, ...(maxPrice && { max_price: maxPrice }), ...(agent && { agent }), model: model.id },
      key: `understood:${said.length}`,
    })
    return {
      intent,
      task,
      maxPrice,
      agent,
      found: [],
      pick: undefined,
      input: {},
      questions: [],
      proposal: undefined,
      decision: undefined,
    }
  }

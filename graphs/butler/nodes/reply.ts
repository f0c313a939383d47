import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

const help = [
  'Tell me in plain words what you need done, for example "what time is it in Tokyo?" or "summarize this text: …".',
  'I look for an agent that does it, show you the price and the terms, and hire it only after your yes.',
].join(' ')

/** The last word of a run; without one it says what the butler can do. */
export const reply =
  ({ model, tell }: ButlerDeps) =>
  async ({ runId, intent, answer: words }: ButlerState): Promise<Update> => {
    const said = words || (intent === 'smalltalk' ? `Hello. ${help}` : help)
    const text = model.id === 'rules' && !words ? `${said} (I understand by rules here: no language model is configured.)` : said
    await tell(runId, { kind: 'answer', summary: text, data: {}, key: 'answer' })
    return { answer: text }
  }

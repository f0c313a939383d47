import type { Asking, LanguageModel, ModelCall, Usage } from '../ports.ts'

/** Tells each question to a language model when it was answered or has failed, with its duration and tokens. */
export const tellCalls = (model: LanguageModel, tell: (call: ModelCall) => void): LanguageModel => {
  const telling =
    <Of, Answer>(question: ModelCall['question'], ask: (of: Of, asking?: Asking) => Promise<Answer>) =>
    async (of: Of, asking?: Asking): Promise<Answer> => {
      const usage: Usage[] = []
      const begunAt = performance.now()
      let isAnswered = false
      const spend = (it: Usage) => {
        usage.push(it)
        asking?.spend?.(it)
      }
      try {
        const answer = await ask(of, { ...asking, spend })
        isAnswered = true
        return answer
      } finally {
        tell({ question, isAnswered, ms: performance.now() - begunAt, usage })
      }
    }
  return {
    id: model.id,
    turn: telling('turn', model.turn),
    phrase: telling('phrase', model.phrase),
    judge: telling('judge', model.judge),
  }
}

import { Problem } from '../../src/domain/problem.ts'
import { toUsageText } from '../../src/domain/runTexts/butler.ts'
import type { Asking, Model, Spend, Usage } from '../../src/ports.ts'
import type { ButlerDeps } from './deps.ts'

type Question = { runId: string; key: string }

/**
 * Asks a model and logs the tokens that its answers used, and whether it failed. `key` identifies the question, so a repeated
 * node is logged once.
 */
export const metered = async <T>(
  { tell }: Pick<ButlerDeps, 'tell'>,
  { runId, key }: Question,
  ask: (asking: { spend: Spend; fail(): void }) => Promise<T>,
): Promise<T> => {
  const spent: Usage[] = []
  let failures = 0
  const fail = () => {
    failures += 1
  }
  try {
    return await ask({ spend: usage => spent.push(usage), fail })
  } finally {
    const [input, output] = [sum(spent.map(it => it.inputTokens)), sum(spent.map(it => it.outputTokens))]
    if (spent.length + failures > 0)
      await tell(runId, {
        kind: 'usage',
        summary: toUsageText({ failures, inputTokens: input, outputTokens: output }),
        data: { question: key, answers: spent.length, failures, input_tokens: input, output_tokens: output },
        key: `usage:${key}`,
      })
  }
}

/**
 * Asks the model. If it fails, or `until` (epoch ms) has passed, the rules answer, so the user's turn continues without an error.
 */
export const asked = async <T>(
  deps: Pick<ButlerDeps, 'model' | 'rules' | 'now' | 'tell'>,
  { until, ...question }: Question & { until: number },
  ask: (model: Model, asking: Asking) => Promise<T>,
): Promise<T> => {
  const timeoutMs = until - deps.now()
  if (timeoutMs <= 0) return ask(deps.rules, {})
  return metered(deps, question, async ({ spend, fail }) => {
    try {
      return await ask(deps.model, { spend, fail, timeoutMs })
    } catch (error) {
      if (!(error instanceof Problem) || error.type !== 'model-unavailable') throw error
      fail()
      return ask(deps.rules, {})
    }
  })
}

const sum = (counts: number[]) => counts.reduce((a, b) => a + b, 0)

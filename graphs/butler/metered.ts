import { Problem } from '../../src/domain/problem.ts'
import { toUsageText } from '../../src/domain/runTexts/butler.ts'
import type { Asking, Spend, Usage } from '../../src/ports.ts'
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
    const of = {
      inputTokens: sum(spent.map(it => it.inputTokens)),
      outputTokens: sum(spent.map(it => it.outputTokens)),
      cachedTokens: sum(spent.map(it => it.cachedTokens ?? 0)),
    }
    const tokens = { input_tokens: of.inputTokens, output_tokens: of.outputTokens, cached_tokens: of.cachedTokens }
    if (spent.length + failures > 0)
      await tell(runId, {
        kind: 'usage',
        summary: toUsageText({ failures, ...of }),
        data: { question: key, answers: spent.length, failures, ...tokens },
        key: `usage:${key}`,
      })
  }
}

/**
 * Asks the model. If it fails, or `until` (epoch ms) has passed, `instead` is the answer, so the user's turn continues without
 * an error.
 */
export const asked = async <T>(
  deps: Pick<ButlerDeps, 'now' | 'tell'>,
  { until, ...question }: Question & { until: number },
  ask: (asking: Asking) => Promise<T>,
  instead: T,
): Promise<T> => {
  const timeoutMs = until - deps.now()
  if (timeoutMs <= 0) return instead
  return metered(deps, question, async ({ spend, fail }) => {
    try {
      return await ask({ spend, fail, timeoutMs })
    } catch (error) {
      if (!(error instanceof Problem) || error.type !== 'model-unavailable') throw error
      fail()
      return instead
    }
  })
}

const sum = (counts: number[]) => counts.reduce((a, b) => a + b, 0)

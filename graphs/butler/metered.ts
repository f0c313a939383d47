import type { Spend, Usage } from '../../src/ports.ts'
import type { ButlerDeps } from './deps.ts'

/**
 * Calls a model and logs the tokens it used, even when the call fails. `key` identifies the call, so a repeated node is logged
 * once.
 */
export const metered = async <T>(
  { tell }: Pick<ButlerDeps, 'tell'>,
  { runId, key }: { runId: string; key: string },
  ask: (spend: Spend) => Promise<T>,
): Promise<T> => {
  const spent: Usage[] = []
  try {
    return await ask(usage => spent.push(usage))
  } finally {
    const [input, output] = [sum(spent.map(it => it.inputTokens)), sum(spent.map(it => it.outputTokens))]
    if (spent.length > 0)
      await tell(runId, {
        kind: 'usage',
        summary: `The language model read ${input} tokens and wrote ${output}.`,
        data: { question: key, answers: spent.length, input_tokens: input, output_tokens: output },
        key: `usage:${key}`,
      })
  }
}

const sum = (counts: number[]) => counts.reduce((a, b) => a + b, 0)

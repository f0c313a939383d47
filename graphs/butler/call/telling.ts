import type { ButlerDeps } from '../deps.ts'
import { keepSentences, toSentences } from './sentences.ts'

type Telling = { runId: string; key: string; beside: Parameters<typeof keepSentences>[1] }

/** The most sentences that are told before the answer. */
const maxSentences = 3

/**
 * Tells the words of a model while it still writes: each sentence is held until it is whole and checked, and what may not be said
 * is dropped. `told` settles when all of it is stored.
 */
export const createTelling = ({ tell }: Pick<ButlerDeps, 'tell'>, { runId, key, beside }: Telling) => {
  let [read, count] = [0, 0]
  let stored: Promise<unknown> = Promise.resolve()

  /** @param text all words so far. @param isEnd no more words follow */
  const hear = (text: string, isEnd: boolean): void => {
    const sentences = toSentences(text.slice(read), beside.language)
    for (const it of isEnd ? sentences : sentences.slice(0, -1)) {
      read += it.length
      const summary = count < maxSentences ? keepSentences(it, beside) : ''
      if (summary === '') continue
      count += 1
      const event = { kind: 'words' as const, summary, data: {}, key: `${key}:${count}` }
      stored = stored.then(() => tell(runId, event))
      // The turn waits for `told`, which fails like this.
      stored.catch(() => undefined)
    }
  }
  return { hear, told: () => stored }
}

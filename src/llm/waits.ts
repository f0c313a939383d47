import type { LanguageModel } from '../ports.ts'

/**
 * Counts the runs that wait for a language model. Each of them needs no place of a worker meanwhile.
 * @param onWait called when a run begins to wait
 */
export const countWaits = (model: LanguageModel, onWait: () => void): { model: LanguageModel; waiting(): number } => {
  let waiting = 0
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    waiting += 1
    onWait()
    try {
      return await work()
    } finally {
      waiting -= 1
    }
  }
  return {
    waiting: () => waiting,
    model: {
      id: model.id,
      turn: (...of) => during(() => model.turn(...of)),
      phrase: (...of) => during(() => model.phrase(...of)),
      judge: (...of) => during(() => model.judge(...of)),
    },
  }
}

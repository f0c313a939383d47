import { setImmediate } from 'node:timers'

/**
 * Lets the pieces of all files pass one at a time, with a turn of the event loop after each. Hashing and encrypting a piece takes
 * a moment; without turns the pieces of a hundred files would come between a request and its answer.
 */
export const createPace = () => {
  const waiting: (() => void)[] = []
  const passOne = () => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(passOne)
  }
  const turn = () =>
    new Promise<void>(resolve => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(passOne)
    })
  return async function* paced(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      await turn()
      yield piece
    }
  }
}

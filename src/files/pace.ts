import { setImmediate } from 'node:timers'

/** Streams that pass freely. Their pieces between a request and its answer take less than a millisecond. */
const free = 4

/**
 * Lets the pieces of many files pass one at a time, with a turn of the event loop after each. Hashing and encrypting a piece takes
 * a moment; without turns the pieces of a hundred files would come between a request and its answer.
 */
export const createPace = () => {
  const waiting: (() => void)[] = []
  let streams = 0
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
    streams += 1
    try {
      for await (const piece of bytes) {
        if (streams > free) await turn()
        yield piece
      }
    } finally {
      streams -= 1
    }
  }
}

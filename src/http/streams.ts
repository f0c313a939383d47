import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import type { Caller } from '../operations/operation.ts'

/** The most streams that are open at once: of one wallet, of one network address, and of all together. */
export type StreamBounds = { ofOne: number; ofAddress: number; ofAll: number }
export const streamBounds: StreamBounds = {
  ofOne: limits.streams,
  ofAddress: limits.streamsOfAddress,
  ofAll: limits.streamsOfAll,
}

/** The event streams that are open. A stream counts for its wallet and for its network address, which may make wallets up. */
export const createStreams = ({ ofOne, ofAddress, ofAll }: StreamBounds) => {
  const openByKey = new Map<string, number>()
  let open = 0
  const count = (keys: string[], by: 1 | -1) => {
    open += by
    for (const key of keys) {
      const left = (openByKey.get(key) ?? 0) + by
      if (left > 0) openByKey.set(key, left)
      else openByKey.delete(key)
    }
  }
  return {
    /**
     * Opens one more, and says how it is given back; giving back twice is giving back once.
     * @throws Problem too-many-streams
     */
    enter: ({ wallet, source }: Pick<Caller, 'wallet' | 'source'>): (() => void) => {
      const openOf = (key: string | undefined) => (key === undefined ? 0 : (openByKey.get(key) ?? 0))
      if (open >= ofAll) throw new Problem('too-many-streams', 'All streams are taken. Read the events as a list meanwhile.')
      // Those of an address without a token share what one user may have.
      const user = wallet ?? (source === undefined ? undefined : `anyone at ${source}`)
      if (openOf(user) >= ofOne)
        throw new Problem('too-many-streams', `At most ${ofOne} streams are open for one user. Close one.`)
      if (openOf(source) >= ofAddress)
        throw new Problem('too-many-streams', `At most ${ofAddress} streams are open for one network address. Close one.`)
      const keys = [user, source].filter(it => it !== undefined)
      count(keys, 1)
      let isOpen = true
      return () => {
        if (isOpen) count(keys, -1)
        isOpen = false
      }
    },
    open: () => open,
  }
}
export type Streams = ReturnType<typeof createStreams>

import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Caller } from '../../operations/operation.ts'

/** Maximum number of concurrent streams: per user, per network address, and in total. */
export type StreamBounds = { ofOne: number; ofAddress: number; ofAll: number }
export const streamBounds: StreamBounds = {
  ofOne: limits.streams,
  ofAddress: limits.streamsOfAddress,
  ofAll: limits.streamsOfAll,
}

/**
 * Counts open event streams. Each stream counts for its wallet and for its network address, because an address can create
 * wallets.
 */
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
     * Reserves one stream and returns the function that releases it. Calling that function again has no effect.
     * @throws Problem too-many-streams
     */
    enter: ({ wallet, source }: Pick<Caller, 'wallet' | 'source'>): (() => void) => {
      const openOf = (key: string | undefined) => (key === undefined ? 0 : (openByKey.get(key) ?? 0))
      if (open >= ofAll) throw new Problem('too-many-streams', 'All event streams are in use. Read the events as a list instead.')
      // Streams without a token share the limit of one user per network address.
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

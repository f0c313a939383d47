import { hourMs, minuteMs } from '../../domain/durations.ts'
import type { OutsideListing } from './ports.ts'

type Bounds = { now(): number; perMinute: number; ofHost: number }

/** Counts checks of the last minute, of each host and in all. `take` says whether one more may begin now, and counts it. */
export const createPace = ({ now, perMinute, ofHost }: Bounds) => {
  const byHost = new Map<string, number[]>()
  let all: number[] = []
  let sweptAt = now()
  const recent = (times: number[], at: number) => times.filter(it => it > at - minuteMs && it <= at)
  const sweep = (at: number) => {
    all = recent(all, at)
    if (at - sweptAt < minuteMs && at >= sweptAt) return
    sweptAt = at
    for (const [host, times] of byHost) if (recent(times, at).length === 0) byHost.delete(host)
  }
  return {
    take(host: string): boolean {
      const at = now()
      sweep(at)
      const own = recent(byHost.get(host) ?? [], at)
      if (own.length >= ofHost || all.length >= perMinute) return false
      byHost.set(host, [...own, at])
      all.push(at)
      return true
    },
  }
}

/** So many hosts that passed their last check and are silent in a row mean that the network of this machine is away. */
const silentHosts = 3
/** A silence that is longer is held against its hosts, in ms: the only hosts of a small catalogue may be gone. */
const longestMs = hourMs

/**
 * Tells an outage of the own network from hosts that are away: it silences hosts that answered before, and no host answers
 * meanwhile.
 */
export const createSilence = (now: () => number) => {
  const silent = new Map<string, string>()
  let since = 0
  const isOwn = () => new Set(silent.values()).size >= silentHosts
  return {
    /** Notes a host without an answer. True when its check says nothing, because the own network is away. */
    note({ key, host, recent }: Pick<OutsideListing, 'key' | 'host' | 'recent'>): boolean {
      if (silent.size === 0) since = now()
      if (recent.startsWith('1')) silent.set(key, host)
      return silent.has(key) && isOwn() && now() - since < longestMs
    },
    /** Notes that a host answered. Returns the listings to check again, because the own network was away. */
    end(): string[] {
      const again = isOwn() ? [...silent.keys()] : []
      silent.clear()
      return again
    },
  }
}

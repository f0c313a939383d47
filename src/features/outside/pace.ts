import { minuteMs } from '../../domain/durations.ts'

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

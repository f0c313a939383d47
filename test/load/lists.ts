import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { openStore } from '../../src/store/store.ts'
import { openUser } from '../service.ts'
import { fillMarket, offeringsOfAgent } from '../store/manyRows.ts'
import { percentile, round } from './measures.ts'

type Options = { agents: number; jobs: number; rounds: number; databaseUrl?: string | undefined; say(line: string): void }

const paths = [
  ...['/services', '/services?sort=sample', '/services?sort=jobs', '/services?sort=price', '/services?tag=tag-7'],
  ...['/services?sort=jobs&tag=tag-7', '/services?page=200', '/stats/summary', '/my-jobs'],
  ...['/rankings', '/rankings?metric=tasks', '/rankings?metric=score', '/agents', '/tasks'],
]

/** Times of list and count requests, one at a time, on a market filled by SQL: five offerings of each agent, and settled jobs. */
export const benchLists = async ({ agents, jobs, rounds, databaseUrl, say }: Options) => {
  const dir = await mkdtemp(join(tmpdir(), 'bench-lists-'))
  try {
    say(`Filling ${agents * offeringsOfAgent} offerings and ${jobs} jobs …`)
    const place = databaseUrl ? { url: databaseUrl } : { file: join(dir, 'market.db') }
    const filled = await openStore({ ...place, clock: { now: Date.now } })
    await fillMarket(filled, { agents, jobs }).finally(filled.close)
    const env = {
      PORT: '0',
      DATA_DIR: dir,
      LOG_LEVEL: 'error',
      RATE_LIMIT: '0',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    }
    const service = await startService({
      config: readConfig(env),
      // The search index stays empty, because none of these requests reads it.
      wrap: ({ store, chain }) => ({ chain, store: { ...store, listings: async () => [] } }),
    })
    try {
      const { token } = await openUser(service.url, join(dir, 'bench-user.json'))
      const p50_ms: Record<string, number> = {}
      for (const path of paths) {
        const times = await timesOf({ url: `${service.url}${path}`, token, rounds })
        p50_ms[path] = round(percentile(times, 0.5))
        say(`${p50_ms[path].toFixed(1).padStart(8)} ms  ${path}`)
      }
      return { offerings: agents * offeringsOfAgent, jobs, p50_ms, worst_ms: Math.max(...Object.values(p50_ms)) }
    } finally {
      await service.stop()
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const timesOf = async ({ url, token, rounds }: { url: string; token: string; rounds: number }): Promise<number[]> => {
  const times: number[] = []
  for (let at = 0; at < rounds; at += 1) {
    const begun = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    await response.text()
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    times.push(performance.now() - begun)
  }
  return times
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { openStore } from '../../src/store/store.ts'
import { rateAgents } from '../../src/workers/rateAgents.ts'
import { openUser } from '../service.ts'
import { fillMarket, offeringsOfAgent } from '../store/manyRows.ts'
import { percentile, round } from './measures.ts'

type Options = { agents: number; jobs: number; rounds: number; databaseUrl?: string | undefined; say(line: string): void }

/** A chain with one agent in a thousand. */
const rareChain = 84532

/** Filters that match few rows are slower than those that match many, because more rows are read for a page. */
const paths = [
  ...['/services', '/services?sort=sample', '/services?sort=jobs', '/services?sort=price', '/services?sort=speed'],
  ...['/services?tag=tag-7', '/services?tag=rare', '/services?sort=jobs&tag=tag-7', '/services?max_price=0.1'],
  ...['/services?chain_id=84532', '/services?chain_id=84532&sort=jobs', '/services?chain_id=84532&tag=tag-7'],
  ...['/services?page=200', '/services?page=1999', '/services?online=true', '/stats/summary', '/stats/summary?chain_id=84532'],
  ...['/rankings', '/rankings?metric=tasks', '/rankings?metric=score', '/rankings?metric=score&chain_id=84532'],
  ...['/rankings?chain_id=84532', '/agents', '/agents?page=399', '/agents?chain_id=84532', '/agents?chain_id=1952'],
  ...['/pricing/agents', '/tasks', '/my-jobs', '/my-agents', '/conversations', '/accounts/users', '/gateway/agents'],
  ...['/x402/discovery/resources', '/tokens', '/v1/trades'],
]

/** Times of list and count requests, one at a time, on a market filled by SQL: five offerings of each agent, and settled jobs. */
export const benchLists = async ({ agents, jobs, rounds, databaseUrl, say }: Options) => {
  const dir = await mkdtemp(join(tmpdir(), 'bench-lists-'))
  try {
    say(`Filling ${agents * offeringsOfAgent} offerings and ${jobs} jobs …`)
    const place = databaseUrl ? { url: databaseUrl } : { file: join(dir, 'market.db') }
    const filled = await openStore({ ...place, clock: { now: Date.now } })
    await fillMarket(filled, { agents, jobs })
    await moveSome(filled)
    const rating = rateAgents({ store: filled, clock: { now: Date.now } })
    while (await rating.runOnce());
    await filled.close()
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
      await timesOf({ url: `${service.url}/livez`, token, rounds: 1 })
      const first_ms: Record<string, number> = {}
      const p50_ms: Record<string, number> = {}
      for (const path of paths) {
        const times = await timesOf({ url: `${service.url}${path}`, token, rounds })
        first_ms[path] = round(times[0] ?? Number.NaN)
        p50_ms[path] = round(percentile(times, 0.5))
        say(`${first_ms[path].toFixed(1).padStart(8)} ${p50_ms[path].toFixed(1).padStart(8)} ms  ${path}`)
      }
      const worst = (of: Record<string, number>) => Math.max(...Object.values(of))
      return {
        offerings: agents * offeringsOfAgent,
        jobs,
        first_ms,
        p50_ms,
        worst_first_ms: worst(first_ms),
        worst_ms: worst(p50_ms),
      }
    } finally {
      await service.stop()
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const moveSome = ({ db }: Awaited<ReturnType<typeof openStore>>) =>
  db.tx(async sql => {
    await sql('update agent set chain_id = $1 where seq % 1000 = 0', [rareChain])
    for (const table of ['offering', 'offering_tag'])
      await sql(`update ${table} set chain_id = $1 where agent_seq % 1000 = 0`, [rareChain])
  })

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

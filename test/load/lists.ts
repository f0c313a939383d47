import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import type { Db, Sql } from '../../src/store/engine/db.ts'
import { openStore } from '../../src/store/store.ts'
import { openUser } from '../service.ts'
import { account, addAgent, agentId, agentKey, newJob, offering, user as someone } from '../store/rows.ts'
import { percentile, round } from './measures.ts'

type Options = { agents: number; jobs: number; rounds: number; databaseUrl?: string | undefined; say(line: string): void }

const offeringsOfAgent = 5
const users = 2_000
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
    await fillMarket({ place: databaseUrl ? { url: databaseUrl } : { file: join(dir, 'market.db') }, agents, jobs })
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

/** Adds one agent, offering, run and job through the store, and copies their rows. */
const fillMarket = async ({
  place,
  agents,
  jobs,
}: {
  place: { file: string } | { url: string }
  agents: number
  jobs: number
}) => {
  const store = await openStore({ ...place, clock: { now: Date.now } })
  try {
    await addAgent(store)
    await store.setAgentId(agentKey, agentId)
    await store.putOfferings(agentKey, [offering()])
    await store.addRun({ id: 'run', conversationId: 'talk', user: someone, chainId: 97, task: 'Take notes', answer: 'Done.' })
    await store.addJob(newJob('run', { id: 'job' }))
    await store.db.tx(sql => copyRows(sql, { agents, jobs }))
    await analyze(store.db)
  } finally {
    await store.close()
  }
}

const analyze = (db: Db) => (db.dialect === 'postgres' ? db.sql('analyze') : undefined)

/** A wallet for each user: the last four digits are the user's number. */
const walletOf = (group: number) => `'${account(group * 0x10000).slice(0, -4)}' || cast(1000 + n.i % ${users} as text)`
const userOf = walletOf(1)

const copyRows = async (sql: Sql, { agents, jobs }: { agents: number; jobs: number }) => {
  const copy = copier(sql)
  const idOf = (n: string) => `'${agentId}' || ${n}`
  const now = Date.now()
  await copy('agent', agents, {
    ...{
      key: `'key-' || n.i`,
      id: idOf('n.i'),
      handle: `'handle-' || n.i`,
      folded_handle: `'handle-' || n.i`,
      name: `'Agent ' || n.i`,
    },
    owner: walletOf(0),
    created_at: `${now} - n.i * 1000`,
  })
  await copy('offering', agents * offeringsOfAgent, {
    agent_key: `'key-' || (1 + n.i % ${agents})`,
    agent_seq: `(select a.seq from agent a where a.key = 'key-' || (1 + n.i % ${agents}))`,
    id: `'offering-' || n.i`,
    body: `replace('${bodyOf()}', '"#"', '"tag-' || (n.i % 40) || '"')`,
  })
  await copy('run', jobs, { id: `'run-' || n.i`, user: userOf, conversation_id: `'talk-' || n.i`, job_id: `'job-' || n.i` })
  await copy('job', jobs, {
    ...{ id: `'job-' || n.i`, run_id: `'run-' || n.i`, user: userOf, chain_job_id: 'cast(n.i as text)' },
    ...{ agent_id: idOf(`(1 + (n.i * n.i) % ${agents})`), state: `'settled'`, feedback: `''` },
    ...{ outcome: `'accepted'`, outcome_at: `${now} - n.i * 60000`, submitted_at: `${now} - n.i * 60000` },
    ...{
      created_at: `${now} - n.i * 60000 - 5000`,
      updated_at: `${now} - n.i * 60000`,
      budget: `cast(10000 * (n.i % 500) as text)`,
    },
  })
}

const bodyOf = () => JSON.stringify({ ...offering({ tags: ['#'], sample: 'A sample.' }), place: undefined })

/** Copies the only row of a table `count` times. `values` are SQL expressions of the copy's number, `n.i`. */
const copier = (sql: Sql) => async (table: string, count: number, values: Record<string, string>) => {
  const [row] = await sql(`select * from ${table} limit 1`)
  const columns = Object.keys(row ?? {}).filter(column => column !== 'seq')
  const picked = columns.map(column => values[column] ?? `t."${column}"`)
  await sql(
    `insert into ${table} (${columns.map(column => `"${column}"`).join(', ')})
     with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     select ${picked.join(', ')} from (select * from ${table} limit 1) t cross join n`,
  )
}

import type { Db, Sql } from '../../src/store/engine/db.ts'
import { account, addAgent, agentId, agentKey, newJob, offering, user as someone } from './rows.ts'
import type { OpenStore } from './stores.ts'

export const offeringsOfAgent = 5
const users = 2_000
const tags = 40

/**
 * Fills a market by SQL: five offerings of each agent, and settled jobs. The first agent, offering, run and job are added through
 * the store, and their rows are copied.
 */
export const fillMarket = async (store: OpenStore, { agents, jobs }: { agents: number; jobs: number }) => {
  await addAgent(store)
  await store.setAgentId(agentKey, agentId)
  await store.putOfferings(agentKey, [offering()])
  await store.addRun({ id: 'run', conversationId: 'talk', user: someone, chainId: 97, task: 'Take notes', answer: 'Done.' })
  await store.addJob(newJob('run', { id: 'job' }))
  await store.db.tx(sql => copyRows(sql, { agents, jobs }))
  await analyze(store.db)
}

// The server does so by itself within a minute. An index alone answers only for pages of a table that it knows to be unchanged.
const analyze = (db: Db) => (db.dialect === 'postgres' ? db.sql('vacuum analyze') : undefined)

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
    body: `replace('${bodyOf()}', '"#"', '"tag-' || (n.i % ${tags}) || '"')`,
    listed: '1',
  })
  await sql(`insert into offering_tag (tag, agent_seq, place, offering_id, agent_key, chain_id, price, sla_minutes, has_sample)
    select t.value, o.agent_seq, o.place, o.id, o.agent_key, o.chain_id, o.price, o.sla_minutes, o.has_sample
    from offering o, {TAGS} where o.listed = 1`)
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
  await sql('update agent set rating_due = 1')
  await sql(`update agent set (paid_jobs, earned) = (select count(*), coalesce(sum(cast(j.budget as {REAL})), 0) from job j
    where j.agent_id = agent.id and j.state = 'settled' and j."user" <> agent.owner)`)
}

const bodyOf = () => JSON.stringify({ ...offering({ tags: ['#'], sample: 'A sample.' }), place: undefined })

/** Copies the only row of a table `count` times. `values` are SQL expressions of the copy's number, `n.i`. */
const copier = (sql: Sql) => async (table: string, count: number, values: Record<string, string>) => {
  const [row] = await sql(`select * from ${table} limit 1`)
  const columns = Object.keys(row ?? {}).filter(column => column !== 'seq')
  const picked = columns.map(column => values[column] ?? `t."${column}"`)
  await sql(
    `insert into ${table} (${columns.map(column => `"${column}"`).join(', ')})
     with recursive n(i) as (select cast(1 as {BIGINT}) union all select i + 1 from n where i < ${count})
     select ${picked.join(', ')} from (select * from ${table} limit 1) t cross join n`,
  )
}

import { z } from 'zod'
import { testDeliveries } from '../../domain/certificates/testDeliveries.ts'
import { dayMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { certificateRow } from '../../ports/certificates.ts'
import type { Scope } from '../../store/engine/db.ts'
import { hasRow, insertion, placesOf, rowOf } from '../../store/engine/rows.ts'
import { type CertificateTables, type TestJobTables, testJobRow } from './ports.ts'

const testJobs = rowOf(testJobRow)
const counts = rowOf({ underWay: z.coerce.number(), today: z.coerce.number() })

const counting = `select coalesce(sum(case when ended_at is null and submit_by > {NOW} then 1 else 0 end), 0) as under_way,
    coalesce(sum(case when created_at > {NOW} - ${dayMs} then 1 else 0 end), 0) as today
  from test_job where owner = $1`

const lease = (which: string) => `update test_job set leased_at = coalesce(leased_at, {NOW}), deliveries = deliveries + 1
  where deliveries < due and id = (
    select id from test_job where agent_id = $1 and deliveries < due and submit_by > {NOW} ${which} order by seq limit 1
  ) returning ${testJobs.columns}`

const end = `update test_job set ended_at = {NOW}, deliverable = $2, failure = $3, criteria = $4
  where id = $1 and leased_at is not null and ended_at is null and submit_by > {NOW} returning ${testJobs.columns}`

const lose = `update test_job set losses = losses - 1 where id = $1 and losses > 0 and ended_at is null and submit_by > {NOW}
  returning 1 as lost`

export const testJobTable = ({ read, run, write }: Scope): TestJobTables => ({
  addTestJob: ({ offering: offered, ...job }) =>
    write(async tx => {
      const { attempts, losses } = testDeliveries[job.delivery]
      const values = { ...job, due: attempts.length, losses, offering: JSON.stringify(offered), criteria: '[]' }
      const [insert, params] = insertion('test_job', values, ['createdAt'])
      const rows = await tx.sql(`${insert} returning seq, ${testJobs.columns}`, params)
      const added = testJobs.sole(rows)
      await tx.sql('delete from test_job where seq <= $1', [Number(rows[0]?.seq) - limits.testJobs])
      tx.notify(`jobs:${added.agentId}`)
      return added
    }),

  lockTestJobCounts: owner =>
    write(async ({ sql }) => {
      // Locks the owner by name, because an owner without test jobs has no row to lock.
      await sql('select {LOCKED_NAME} as held', [`tests:${owner}`])
      return counts.one(await sql(counting, [owner])) ?? { underWay: 0, today: 0 }
    }),

  testJob: async id => testJobs.one(await read(`select ${testJobs.columns} from test_job where id = $1`, [id])),

  testJobsSince: async (agentId, since) => {
    const select = `select ${testJobs.columns} from test_job where agent_id = $1 and created_at > $2 order by seq`
    return testJobs.all(await read(select, [agentId, since]))
  },

  leaseTestJob: async (agent, id) => {
    const leased = testJobs.one(await run(lease(id === undefined ? '' : 'and id = $2'), id === undefined ? [agent] : [agent, id]))
    // Most polls find none, and need no transaction.
    if (leased) await write(async ({ notify }) => notify(`test:${leased.id}`))
    return leased
  },

  loseTestCompletion: id => hasRow(run(lose, [id])),

  endTestJob: (id, { deliverable, failure, criteria }) =>
    write(async tx => {
      const ended = testJobs.one(await tx.sql(end, [id, deliverable, failure, JSON.stringify(criteria)]))
      if (ended) tx.notify(`test:${ended.id}`)
      return ended
    }),
})

const certificates = rowOf(certificateRow)

const replacing = ['offering_version', 'cases', 'signer', 'text', 'signature', 'issued_at', 'expires_at']
  .map(column => `${column} = excluded.${column}`)
  .join(', ')

const valid = `select c.agent_id, c.offering_id, c.offering_version, c.cases, c.signer, c.text, c.signature,
  c.issued_at, c.expires_at
  from certificate c join agent a on a.id = c.agent_id
  join offering o on o.agent_key = a.key and o.id = c.offering_id and o.version = c.offering_version and o.removed = 0
  where c.expires_at > {NOW}`

export const certificateTable = ({ read, run }: Scope): CertificateTables => ({
  putCertificate: async certificate => {
    const [insert, params] = insertion('certificate', certificate)
    await run(`${insert} on conflict (agent_id, offering_id) do update set ${replacing}`, params)
  },

  certificates: async agentIds => {
    if (agentIds.length === 0) return []
    return certificates.all(await read(`${valid} and c.agent_id in (${placesOf(agentIds)})`, agentIds))
  },
})

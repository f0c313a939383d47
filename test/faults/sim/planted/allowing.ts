import type { Job, Tables } from '../../../../src/ports.ts'
import type { Hands, Mutation, Parts } from '../mutation.ts'
import { withTables } from './withTables.ts'

const drawUnconditionally = async (
  { db }: Hands,
  { runId, mandateId, digest, amount }: Parameters<Tables['drawOnMandate']>[0],
) => {
  const draw = `insert into mandate_drawing (run_id, mandate_id, terms_digest, amount, at) values ($1, $2, $3, $4, {NOW})
    on conflict (run_id) do nothing`
  await db.tx(sql => sql(draw, [runId, mandateId, digest, String(amount)]))
  return { isCovered: true as const, left: 0n }
}

/** Reports mandates with a different sum of their use. */
const withUsed = ({ store, chain }: Parts, { db }: Hands, sum: string): Parts => ({
  chain,
  store: {
    ...store,
    async mandates(filter) {
      const told = await store.mandates(filter)
      const rows = await db.sql(`select d.mandate_id, sum(cast(d.amount as integer)) as n from mandate_drawing d
        join job j on j.run_id = d.run_id where j.state = 'refunded' group by d.mandate_id`)
      const back = new Map(rows.map(it => [String(it.mandate_id), BigInt(String(it.n))]))
      return told.map(it => ({ ...it, used: it.used + BigInt(sum) * (back.get(it.id) ?? 0n) }))
    },
  },
})

/** Bugs in hiring under a mandate. */
export const allowing: Mutation[] = [
  {
    name: 'a mandate that covered the proposal covers the hire',
    without: 'the limit in the write that draws',
    focus: [16],
    parts: ({ store, chain }, hands) => ({
      chain,
      store: { ...store, drawOnMandate: it => drawUnconditionally(hands, it) },
    }),
  },
  {
    name: 'a mandate that was revoked says yes',
    without: 'the look at the mandate in the write that opens the job',
    focus: [16, 77],
    parts: ({ store, chain }) => ({ chain, store: withTables(store, () => ({ lockDrawing: async () => true })) }),
  },
  {
    name: 'a mandate is for whatever its run costs',
    without: 'the amount in the drawing',
    focus: [],
    parts: ({ store, chain }) => ({
      chain,
      store: { ...store, drawOnMandate: it => store.drawOnMandate({ ...it, amount: it.amount / 10n }) },
    }),
  },
  {
    name: 'a refunded hire keeps its share',
    without: 'the return of what came back',
    focus: [],
    parts: (parts, hands) => withUsed(parts, hands, '1'),
  },
  {
    name: 'a refunded hire gives its share back twice',
    without: 'one return a hire',
    focus: [],
    parts: (parts, hands) => withUsed(parts, hands, '-1'),
  },
]

const jobsWhere = async ({ store }: Parts, { db }: Hands, condition: string): Promise<Job[]> => {
  const rows = await db.sql(`select id from job where chain_job_id is not null and ${condition} limit 20`)
  const jobs = await Promise.all(rows.map(it => store.job(String(it.id))))
  return jobs.flatMap(it => it ?? [])
}

/** Bugs in feedback about a job. */
export const rating: Mutation[] = [
  {
    name: 'a job is rated whenever somebody looks',
    without: 'one feedback a job',
    focus: [],
    parts: (parts, hands) => ({
      ...parts,
      store: {
        ...withTables(parts.store, tables => ({
          async setFeedback(id, file) {
            await tables.setFeedback(id, file)
            return true
          },
          addIntents: of =>
            tables.addIntents(
              of.map(it => (it.key.endsWith(':feedback') ? { ...it, key: `${it.key}:${hands.random.hex(8)}` } : it)),
            ),
        })),
        unratedJobs: () => jobsWhere(parts, hands, `outcome is not null and state in ('settled', 'refunded')`),
      },
    }),
  },
  {
    name: 'a job is rated before its end',
    without: 'the end in front of the feedback',
    focus: [],
    parts: (parts, hands) => ({
      ...parts,
      store: { ...parts.store, unratedJobs: () => jobsWhere(parts, hands, 'outcome is not null and feedback is null') },
    }),
  },
  {
    name: 'every judged job is validated',
    without: 'the wish of the offering',
    focus: [],
    parts: ({ store, chain }) => ({
      chain,
      store: {
        ...store,
        unratedJobs: async (chainId, limit) =>
          (await store.unratedJobs(chainId, limit)).map(it => ({ ...it, offering: { ...it.offering, validation: true } })),
      },
    }),
  },
  {
    name: 'a validation is written down and sent later',
    without: 'the one transaction of a validation and its effects',
    focus: [],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({
        addIntents: of => tables.addIntents(of.filter(it => !it.key.includes(':validation-'))),
      })),
    }),
  },
  {
    name: 'any payment is a proof',
    without: 'the payment of the job itself in the proof',
    focus: [],
    parts: ({ store, chain }) => ({ chain, store: { ...store, ledger: () => store.ledger({}) } }),
  },
]

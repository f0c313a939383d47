import { z } from 'zod'
import { toMostFrequent } from '../../domain/offerings/likeFit.ts'
import { jsonText } from '../../ports/rows/columns.ts'
import type { LearningTables } from '../../ports.ts'
import { requestReindex } from '../effects/outbox.ts'
import type { Scope, Tx } from '../engine/db.ts'
import { placesOf, rowOf } from '../engine/rows.ts'

const learned = rowOf({ agentId: z.string(), offeringId: z.string(), terms: jsonText(z.array(z.string())) })

/** Requests counted per offering. Older ones no longer represent what the offering is used for. */
const ofOneOffering = 50
/** Requests counted per payer, so that a frequent payer has no more weight than others. */
const ofOnePayer = 3

// Only jobs that are still settled count; a reorganisation may have reverted others.
const newest = (condition: string) => `with ranked as (
    select l.agent_key, a.id as agent_id, l.offering_id, l.terms, l.at, l.job_id,
      row_number() over (partition by l.agent_key, l.offering_id, l.payer order by l.at desc, l.job_id) as of_payer
    from learned_request l join agent a on a.key = l.agent_key join job j on j.id = l.job_id
    where ${condition} and j.state = 'settled'
  ), counted as (
    select agent_id, offering_id, terms, row_number() over (partition by agent_id, offering_id order by at desc, job_id) as place
    from ranked where of_payer <= ${ofOnePayer}
  ) select ${learned.columns} from counted where place <= ${ofOneOffering} order by agent_id, offering_id, place`

// Twice as many are kept as are read, because a reorganisation may remove some.
const prune = `delete from learned_request where job_id in (
    select job_id from (
      select job_id, row_number() over (partition by payer order by at desc, job_id) as of_payer,
        row_number() over (order by at desc, job_id) as place
      from learned_request where agent_key = $1 and offering_id = $2
    ) numbered where of_payer > ${2 * ofOnePayer} or place > ${2 * ofOneOffering})`

const ofOffering = newest('l.agent_key = $1 and l.offering_id = $2')

const add = `insert into learned_request (job_id, agent_key, offering_id, payer, terms, at)
  select cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as text), cast($5 as text), {NOW}
  where not exists (select 1 from learning_refusal where wallet = $4) on conflict (job_id) do nothing`

const refuse = `insert into learning_refusal (wallet, at) values ($1, {NOW}) on conflict (wallet) do nothing`

export const learningTable = ({ read, write }: Scope): LearningTables => ({
  learnRequest: ({ terms, ...request }) =>
    write(async tx => {
      const { agentKey, offeringId } = request
      // Comes first because it orders concurrent requests of one agent. The others are sent without a wait for its answer.
      tx.later('select key from agent where key = $1 {LOCK}', [agentKey])
      const indexed = async () =>
        String(toMostFrequent(learned.all(await tx.sql(ofOffering, [agentKey, offeringId])).map(it => it.terms)))
      const before = indexed()
      tx.later(add, [request.jobId, agentKey, offeringId, request.payer, JSON.stringify(terms)])
      tx.later(prune, [agentKey, offeringId])
      // Most requests repeat the words of earlier ones, and a change of the index costs more than all else here.
      const [was, is] = await Promise.all([before, indexed()])
      if (is !== was) await requestReindex(tx, agentKey)
    }),

  learnedRequests: async agentIds => {
    if (agentIds.length === 0) return []
    return learned.all(await read(newest(`a.id in (${placesOf(agentIds)})`), agentIds))
  },

  setLearning: (wallet, isAllowed) =>
    write(async tx => {
      if (isAllowed) await tx.sql('delete from learning_refusal where wallet = $1', [wallet])
      else await forget(tx, wallet)
    }),
})

const forget = async (tx: Tx, wallet: string) => {
  await tx.sql(refuse, [wallet])
  const agents = await tx.sql('select distinct agent_key from learned_request where payer = $1 order by agent_key', [wallet])
  for (const row of agents) await requestReindex(tx, String(row.agent_key))
  await tx.sql('delete from learned_request where payer = $1', [wallet])
}

import { z } from 'zod'
import { type BookRow, type Books, textOf } from '../sim/books.ts'
import { unless } from '../sim/invariants/unless.ts'

/** Feedback as stored by the reputation registry, with the file hash that the chain computes. */
export type OnChain = { client: string; uri: string; fileHash: string }

const file = z.object({
  clientAddress: z.string(),
  value: z.number(),
  proofOfPayment: z.object({ fromAddress: z.string(), toAddress: z.string(), txHash: z.string() }),
})

const rated = `select id, run_id, state, outcome, dispute, user_wallet, agent_wallet, feedback, budget, returned,
  exists (select 1 from run_event e where e.run_id = job.run_id and e.kind in ('job.settled', 'job.refunded')) as has_ended,
  (select count(*) from intent where key like 'job:' || job.id || ':feedback%') as intents
  from job where feedback is not null and feedback <> ''`

const retracted = `select 1 from run_event e where e.run_id = job.run_id and e.kind = 'job.retracted'`

const uriEnd = /\/jobs\/([^/]+)\/feedback\.json$/

/** I15: a job has at most one feedback, given after its end by its client's wallet, with proof of its own payment. */
export const checkFeedback = ({ all }: Pick<Books, 'all'>, given: OnChain[], hash: (text: string) => string): string[] => {
  const jobs = all(rated)
  const files = new Map(jobs.map(it => [textOf(it.id), it]))
  const byJob = Map.groupBy(given, it => uriEnd.exec(it.uri)?.[1] ?? it.uri)
  return [
    ...jobs.flatMap(job => checkJob(all, job)),
    ...[...byJob].flatMap(([id, of]) => {
      const job = files.get(id)
      if (!job) return [`I15 there is feedback of ${of.map(it => it.client).join()} for ${id}, and we gave none`]
      return [
        ...unless(of.length === 1, `I15 job ${id} has ${of.length} feedbacks on chain`),
        ...unless(
          of.every(it => it.client.toLowerCase() === job.user_wallet),
          `I15 the feedback for job ${id} is not its client's`,
        ),
        ...unless(
          of.every(it => it.fileHash === hash(textOf(job.feedback))),
          `I15 the feedback for job ${id} names another file`,
        ),
      ]
    }),
  ]
}

const checkJob = (all: Books['all'], { id, outcome, dispute, has_ended, intents, ...job }: BookRow): string[] => {
  const { proofOfPayment: proof, value } = file.parse(JSON.parse(textOf(job.feedback)))
  const isPaid = proof.toAddress === job.agent_wallet
  const postings = all(
    'select key from posting where job_id = ? and tx_hash = ? and key like ?',
    textOf(id),
    proof.txHash,
    `job:${id}:${isPaid ? 'payout' : 'escrow'}%`,
  )
  return [
    ...unless(has_ended === 1, `I15 job ${id} was rated before its end`),
    ...unless(Number(intents) === 1, `I15 ${intents} feedbacks are planned for job ${id}`),
    ...unless(value === (outcome === 'accepted' && dispute === '' ? 100 : 0), `I15 job ${id} is ${outcome}, and rated ${value}`),
    ...unless(proof.fromAddress === job.user_wallet, `I15 the proof of job ${id} is of ${proof.fromAddress}`),
    ...unless(postings.length > 0, `I15 the proof of job ${id} names ${proof.txHash}, which moved none of its money`),
  ]
}

const unsaid = `select id, state from job where chain_job_id is not null and outcome is not null and state in ('settled', 'refunded')
  and feedback is null`

/**
 * I15, when idle: each ended job was rated, its feedback is on chain, and it proves the current payment. After a reorganisation
 * of the job's events the feedback stays as it was given, so it may prove a payment of another branch.
 */
export const checkRated = ({ all }: Pick<Books, 'all'>, given: OnChain[]): string[] => {
  const told = new Set(given.map(it => uriEnd.exec(it.uri)?.[1]))
  return [
    ...all(unsaid).map(it => `I15 job ${it.id} is ${it.state} and was never rated`),
    ...all(`select id, feedback from job where feedback is not null and feedback <> ''`)
      .filter(it => !told.has(textOf(it.id)))
      .map(it => `I15 the feedback for job ${it.id} is not on chain`),
    ...all(`${rated} and not exists (${retracted})`).flatMap(job => checkStanding(all, job)),
  ]
}

const checkStanding = (all: Books['all'], { id, state, agent_wallet, feedback, ...job }: BookRow): string[] => {
  const { toAddress, txHash } = file.parse(JSON.parse(textOf(feedback))).proofOfPayment
  const isPaid = toAddress === agent_wallet
  const standing = all(
    `select key from posting p where job_id = ? and tx_hash = ? and key like ? and key not like '%:reversed'
     and not exists (select 1 from posting r where r.key = p.key || ':reversed')`,
    textOf(id),
    txHash,
    `job:${id}:${isPaid ? 'payout' : 'escrow'}%`,
  )
  // A price by use of nothing is settled, and the whole budget is back.
  const wasPaid = state === 'settled' && job.returned !== job.budget
  return [
    ...unless(isPaid === wasPaid, `I15 job ${id} is ${state}, its feedback says ${isPaid ? 'paid' : 'not paid'}`),
    ...unless(standing.length > 0, `I15 the proof of job ${id} names ${txHash}, which does not stand`),
  ]
}

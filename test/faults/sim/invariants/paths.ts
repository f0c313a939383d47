import { z } from 'zod'
import { isJobState, isUndoing, type JobEvent, moves, next } from '../../../../src/domain/jobs/job.ts'
import { limits } from '../../../../src/domain/limits.ts'
import { textOf } from '../books.ts'
import type { World } from '../world.ts'
import { unless } from './unless.ts'

const events = new Set<string>(Object.values(moves).flatMap(row => Object.keys(row)))
const isEvent = (text: string): text is JobEvent => events.has(text)

const move = z.object({
  kind: z.string(),
  job_id: z.string(),
  from: z.string().optional(),
  event: z.string().optional(),
  to: z.string(),
  attempt: z.number(),
})
type Move = z.infer<typeof move>

/**
 * I4: the history of a job, including undone moves, is a path of the table of moves that ends in the job's state. I5: leases
 * have increasing numbers.
 */
export const checkPaths = ({ books, log }: World): string[] => {
  const told = books.all(`select kind, data from run_event where kind like 'job.%' order by run_id, seq`)
  const paths = Map.groupBy(
    told.map(it => move.parse({ ...Object(JSON.parse(textOf(it.data))), kind: it.kind })),
    it => it.job_id,
  )
  return books.all('select id, state, attempt from job').flatMap(({ id, state, attempt }) => {
    const path = paths.get(textOf(id)) ?? []
    const leases = path.filter(it => it.event === 'lease').map(it => it.attempt)
    const given = log.deliveries.get(textOf(id)) ?? 0
    return [
      ...path.flatMap((it, at) => checkMove(it, path[at - 1])),
      ...unless(path.at(-1)?.to === state, `I4 job ${id} is ${state}, its history ends at ${path.at(-1)?.to}`),
      ...leases.flatMap((it, at) => unless(it === at + 1, `I5 job ${id}: lease ${at + 1} has the number ${it}`)),
      // A response may be lost with its process, so each restart may deliver a leased job once more.
      ...unless(given <= leases.length + log.restarts, `I5 job ${id} was given out ${given} times under ${leases.length} leases`),
      ...unless(Number(attempt) <= limits.attempts, `I11 job ${id} was delivered ${attempt} times`),
    ]
  })
}

const checkMove = ({ kind, job_id, from, event, to }: Move, before: Move | undefined): string[] => {
  if (!before) return unless(to === 'open', `I4 job ${job_id} starts as ${to}`)
  if (from !== before.to) return [`I4 job ${job_id} moved from ${from}, but it was ${before.to}`]
  const leadsTo = from && event && isJobState(from) && isEvent(event) ? next(from, event) : undefined
  return [
    ...unless(leadsTo === to, `I4 job ${job_id}: ${from} --${event}--> ${to} is not in the table`),
    ...unless(kind === kindOf(from, event, to), `I10 job ${job_id}: ${from} --${event}--> ${to} is told as ${kind}`),
  ]
}

/** A reverted event, and its return, are logged as such. */
const kindOf = (from: string | undefined, event: string | undefined, to: string) => {
  if (event && isEvent(event) && isUndoing(event)) return 'job.retracted'
  return from === to ? 'job.restored' : `job.${to}`
}

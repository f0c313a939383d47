import { z } from 'zod'
import { causes, isJobState, type JobEvent, next } from '../../../src/domain/jobs/job.ts'
import { textOf } from '../sim/books.ts'
import { answersTooOften } from '../sim/invariants/rows.ts'
import { unless } from '../sim/invariants/unless.ts'
import type { Ledgers } from './ledgers.ts'

const isEvent = (text: string): text is JobEvent => Object.hasOwn(causes, text)
const state = z.string().refine(isJobState)
const move = z.object({ job_id: z.string(), from: state.optional(), event: z.string().refine(isEvent).optional(), to: state })

/** I4: the history of a job is a path of the table of moves that ends in the job's state. */
export const checkPaths = ({ all }: Ledgers): string[] => {
  const told = all(`select data from run_event where kind like 'job.%' order by run_id, seq`)
  const paths = Map.groupBy(
    told.map(it => move.parse(JSON.parse(textOf(it.data)))),
    it => it.job_id,
  )
  return all('select id, state from job').flatMap(job => {
    const path = paths.get(textOf(job.id)) ?? []
    const wrong = path.filter(({ from, event, to }, at) => {
      if (at === 0) return to !== 'open'
      return !from || !event || from !== path[at - 1]?.to || next(from, event) !== to
    })
    return [
      ...wrong.map(it => `I4 job ${job.id}: ${it.from} --${it.event}--> ${it.to} is no move from where it was`),
      ...unless(path.at(-1)?.to === job.state, `I4 job ${job.id} is ${job.state}, its history ends at ${path.at(-1)?.to}`),
    ]
  })
}

/** I10: the events of a run are numbered 1 to n, and each fact is logged once. I6: a job follows a consent. */
export const checkEvents = ({ all }: Ledgers, toldOnce: readonly string[]): string[] => [
  ...all(`select r.id, r.last_seq, count(e.seq) as n, coalesce(max(e.seq), 0) as top from run r
    left join run_event e on e.run_id = r.id group by r.id having n <> r.last_seq or top <> r.last_seq`).map(
    it => `I10 run ${it.id}: ${it.n} events up to ${it.top}, counted ${it.last_seq}`,
  ),
  ...all('select run_id, kind, count(*) as n from run_event group by run_id, kind having n > 1')
    .filter(it => toldOnce.includes(textOf(it.kind)))
    .map(it => `I10 run ${it.run_id} tells ${it.kind} ${it.n} times`),
  ...all(answersTooOften).map(it => `I10 run ${it.run_id} tells answer ${it.n} times`),
  ...all(`select id from job where id not in (select job_id from paid_call) and not exists (select 1 from run_event y join run_event o on o.run_id = y.run_id
    where y.run_id = job.run_id and y.kind = 'confirmed' and o.kind = 'job.open' and y.seq < o.seq)`).map(
    it => `I6 job ${it.id} was hired without a yes`,
  ),
]

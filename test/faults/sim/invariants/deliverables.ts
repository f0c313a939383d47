import { judgeByCode, ruleOn, toChecklist } from '../../../../src/domain/jobs/acceptance.ts'
import { offering } from '../../../../src/domain/offerings/offering.ts'
import { type BookRow, textOf } from '../books.ts'
import type { Handed } from '../log.ts'
import type { World } from '../world.ts'
import { unless } from './unless.ts'

const jobs = `select id, state, agent_id, deliverable, offering, json_extract(terms, '$.input') as input,
  (select count(*) from run_event e where e.run_id = job.run_id and e.kind = 'job.submitted') as submits,
  (select count(*) from run_event e where e.run_id = job.run_id and json_extract(e.data, '$.event') = 'reject') as rejections,
  (select count(*) from run_event e where e.run_id = job.run_id and kept is not null and (json_extract(e.data, '$.event') in ('reject', 'fail', 'refuse')
    or json_extract(e.data, '$.reason') like 'The agent %' and json_extract(e.data, '$.event') = 'expire')) as withheld
  from job`

/** I4 and I2: the first accepted deliverable is kept, came from the job's agent, and is paid exactly when it passes. */
export const checkDeliverables = ({ books, log }: World): string[] => {
  const accepted = Map.groupBy(
    log.handed.filter(it => it.accepted),
    it => it.jobId,
  )
  return books
    .all(jobs)
    .flatMap(job => [
      ...checkAccepted(job, accepted.get(textOf(job.id)) ?? []),
      ...unless(Number(job.withheld) === 0, `I2 job ${job.id} was given back although a deliverable before had passed`),
      ...(job.deliverable === null ? [] : checkJudged(job)),
    ])
}

const checkAccepted = ({ id, agent_id, submits }: BookRow, accepted: Handed[]): string[] => {
  const different = new Set(accepted.map(it => it.deliverable)).size
  return [
    ...unless(different <= Number(submits), `I4 ${different} deliverables of job ${id} were accepted, ${submits} taken`),
    ...accepted.flatMap(it => unless(it.agentId === agent_id, `I4 ${it.agentId} handed in job ${id} of ${agent_id}`)),
  ]
}

/** Whether a text is empty, defined here independently of the service. */
export const isNothing = (text: string) => /^\s*(\{\s*\}|\[\s*\]|null|""|)\s*$/.test(text)

const checkJudged = ({ id, state, deliverable, input, offering: listed, rejections }: BookRow): string[] => {
  const isPaid = state === 'settling' || state === 'settled'
  if (!isPaid && rejections === 0) return []
  const { deliverable: schema } = offering.parse(JSON.parse(textOf(listed)))
  const of = { schema, deliverable: textOf(deliverable), input: textOf(input) }
  const pass = ruleOn(judgeByCode(toChecklist(schema), of)) !== 'reject'
  return [
    ...unless(!isPaid || !isNothing(of.deliverable), `I2 job ${id} is paid for nothing`),
    ...unless(pass || !isPaid, `I2 job ${id} is paid for a deliverable that breaks its schema`),
    ...unless(!pass || rejections === 0, `I2 job ${id} was rejected with a deliverable that passes`),
  ]
}

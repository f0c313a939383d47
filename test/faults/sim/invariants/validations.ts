import { textOf } from '../books.ts'
import type { World } from '../world.ts'
import { unless } from './unless.ts'

const decided = `select v.job_id, v.request_hash, v.response, j.outcome, j.feedback, j.offering->>'validation' as asked,
  (select count(*) from intent where key like 'job:' || v.job_id || ':validation-request%') as requests,
  (select count(*) from intent where key like 'job:' || v.job_id || ':validation-response%') as responses
  from validation v join job j on j.id = v.job_id`

/** I16: a validation is decided once, for a judged job that was rated and asked for one, and the registry has nothing else. */
export const checkValidations = ({ books, ground, log }: World): string[] => {
  const rows = books.all(decided)
  const known = new Map(rows.map(it => [textOf(it.request_hash), it]))
  return [
    ...rows.flatMap(it => [
      // After a reorganisation the registry may refuse a response that it had before, which is then tried again.
      ...unless(
        it.requests === 1 && (it.responses === 1 || (Number(it.responses) > 1 && log.reorgs > 0)),
        `I16 job ${it.job_id} has more or fewer than one validation`,
      ),
      ...unless(it.response === (it.outcome === 'accepted' ? 100 : 0), `I16 job ${it.job_id} is ${it.outcome}: ${it.response}`),
      ...unless(['accepted', 'rejected'].includes(textOf(it.outcome)), `I16 job ${it.job_id} was not judged: ${it.outcome}`),
      ...unless(it.asked === 1, `I16 job ${it.job_id} is validated and did not ask for it`),
      ...unless(it.feedback !== null && it.feedback !== '', `I16 job ${it.job_id} is validated and was not rated`),
    ]),
    ...[...ground.chain.state.validations].flatMap(([hash, { responses }]) => [
      ...unless(responses.length < 2 || log.reorgs > 0, `I16 the request ${hash} has ${responses.length} responses`),
      ...unless(
        responses.every(it => it === known.get(hash)?.response),
        `I16 the registry says ${responses.join()} about ${hash}, and we decided ${known.get(hash)?.response}`,
      ),
    ]),
  ]
}

const missing = `select id, outcome from job where outcome in ('accepted', 'rejected') and feedback <> ''
  and offering->>'validation' = 1
  and not exists (select 1 from validation v where v.job_id = job.id)`

/** I16, when idle: each judged job that was rated and asked for a validation has one, and the registry has the response. */
export const checkValidated = ({ books, ground }: World): string[] => [
  ...books.all(missing).map(it => `I16 job ${it.id} is ${it.outcome} and was never validated`),
  ...books
    .all('select job_id, request_hash from validation')
    .filter(it => (ground.chain.state.validations.get(textOf(it.request_hash))?.responses.length ?? 0) === 0)
    .map(it => `I16 the validation of job ${it.job_id} is not in the registry`),
]

import { textOf } from '../books.ts'
import type { World } from '../world.ts'
import { unless } from './unless.ts'

const jobs = `select id, outcome, (select count(*) from run_event e where e.run_id = job.run_id
  and json_extract(e.data, '$.event') = 'requeue') as requeues from job`

/** I8: a failure without the agent's credential ends no job. What anybody could have caused does not count against the agent. */
export const checkFailures = ({ books, log }: World): string[] =>
  books
    .all(jobs)
    .flatMap(({ id, outcome, requeues }) => [
      ...unless(
        outcome !== 'failed' || log.proven.has(textOf(id)),
        `I8 job ${id} was ended by a failure that came without a credential`,
      ),
      ...unless(
        outcome !== 'undelivered' || requeues === 0,
        `I8 job ${id} counts against its agent, ${requeues} failures came without a credential`,
      ),
    ])

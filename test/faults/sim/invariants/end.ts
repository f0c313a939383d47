import { hex } from '../../../../src/domain/hex.ts'
import { isFinal, isJobState } from '../../../../src/domain/jobs/job.ts'
import { textOf } from '../books.ts'
import type { World } from '../world.ts'
import { checkPlansEnded } from './bills.ts'
import { checkRated } from './feedback.ts'
import { checkBooks } from './money.ts'
import { checkPaid } from './payments.ts'
import { checkTokenBooks } from './trades.ts'
import { checkValidated } from './validations.ts'

/** Checks invariants of an idle service: nothing is lost, the money is where it belongs, and the index is complete. */
export const checkEnd = (world: World): string[] => [
  ...checkOpen(world),
  ...checkBooks(world),
  ...checkIndex(world),
  ...checkOutcome(world),
  ...checkMined(world),
  ...checkRated(world),
  ...checkValidated(world),
  ...checkPaid(world),
  ...checkPlansEnded(world),
  ...checkTokenBooks(world),
]

const isOver = (state: string) => isJobState(state) && isFinal(state)

/** I3: every accepted run and job is final, or only waits for its user. */
const checkOpen = ({ books }: World): string[] => [
  ...books
    .all('select id, state from job')
    .filter(it => !isOver(textOf(it.state)))
    .map(it => `I3 job ${it.id} is still ${it.state}`),
  ...books
    .all(
      `select r.id, r.state, j.state as job, exists (select 1 from paid_call p where p.run_id = r.id) as paid from run r left join job j on j.run_id = r.id`,
    )
    .filter(
      it =>
        it.state === 'working' || it.state === 'awaiting-job' || (it.job !== null && it.paid === 0 && it.state !== 'completed'),
    )
    .map(it => `I3 run ${it.id} is still ${it.state}, its job ${it.job}`),
]

/** Checks that the money went where the job's final state requires. */
const checkOutcome = ({ books, ground }: World): string[] => {
  const onChain = new Map([...ground.chain.state.jobs].map(([id, it]) => [String(id), it.status]))
  const fitting: Record<string, string[]> = { settled: ['completed'], refunded: ['rejected', 'expired'], cancelled: [] }
  return books.all('select id, state, chain_job_id, budget from job').flatMap(job => {
    const status = onChain.get(textOf(job.chain_job_id))
    if (job.chain_job_id === null)
      return job.state === 'cancelled' || job.budget === '0' ? [] : [`I1 job ${job.id} is ${job.state} and was never on chain`]
    return fitting[textOf(job.state)]?.includes(status ?? '') ? [] : [`I1 job ${job.id} is ${job.state}, on chain ${status}`]
  })
}

/** I9: the database records the block of each confirmed transaction, and of no other. */
const checkMined = ({ books, ground }: World): string[] =>
  books.all('select hash, sender, nonce, block_number from chain_transaction where retired = 0').flatMap(it => {
    const found = ground.chain.find(hex.parse(it.hash))
    const place = found?.block.number
    const booked = it.block_number === null ? undefined : BigInt(Number(it.block_number))
    return place === booked ? [] : [`I9 ${it.hash} is in block ${place}, our books say ${booked}`]
  })

/** I13: the index contains all visible offerings and no others. */
const checkIndex = ({ books, ground }: World): string[] => {
  const visible = books
    .all(`select a.id as agent, o.id, o.version from offering o join agent a on a.key = o.agent_key
      where o.removed = 0 and a.id is not null and json_extract(o.body, '$.active') and not json_extract(o.body, '$.hide') and not json_extract(o.body, '$.restricted')`)
    .map(it => `${it.agent}/${it.id}@${it.version}`)
  const shown = [...ground.search.rows].map(([key, { listing }]) => `${key}@${listing.version}`)
  return visible.sort().join() === shown.sort().join()
    ? []
    : [`I13 visible are ${visible.join()}, the index shows ${shown.join()}`]
}

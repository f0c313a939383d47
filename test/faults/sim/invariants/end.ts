import { isFinal, isJobState } from '../../../../src/domain/job.ts'
import { textOf } from '../books.ts'
import type { World } from '../world.ts'
import { checkBooks } from './money.ts'

/** What holds once everything has come to rest: nothing is lost, the money is where it belongs, the index shows what is there. */
export const checkEnd = (world: World): string[] => [
  ...checkOpen(world),
  ...checkBooks(world),
  ...checkIndex(world),
  ...checkOutcome(world),
]

const isOver = (state: string) => isJobState(state) && isFinal(state)

/** I3: every accepted run and job is final, or waits for words of its user alone. */
const checkOpen = ({ books }: World): string[] => [
  ...books
    .all('select id, state from job')
    .filter(it => !isOver(textOf(it.state)))
    .map(it => `I3 job ${it.id} is still ${it.state}`),
  ...books
    .all(`select r.id, r.state, j.state as job from run r left join job j on j.run_id = r.id`)
    .filter(it => it.state === 'working' || it.state === 'awaiting-job' || (it.job !== null && it.state !== 'completed'))
    .map(it => `I3 run ${it.id} is still ${it.state}, its job ${it.job}`),
]

/** Where the money went fits how the job ended. */
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

/** I13: the index shows the visible offerings, all of them and no others. */
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

export const dump = ({ books }: World) => {
  for (const it of books.all(
    `select r.id, r.state, r.wake_at, r.held_until, r.interrupt_id, r.job_id, j.state as job from run r left join job j on j.run_id = r.id`,
  )) {
    console.log(it.id, it.state, it.job, it.wake_at, it.held_until, it.interrupt_id)
    for (const e of books.all('select seq, kind, data from run_event where run_id = ? order by seq', textOf(it.id)))
      console.log('   ', e.seq, e.kind, textOf(e.data).slice(0, 100))
    for (const c of books.all(
      'select id, cast(metadata as text) as m, cast(body as text) as body from checkpoint where thread_id = ? order by id',
      textOf(it.id),
    ))
      console.log(
        '   ',
        c.id,
        textOf(c.m),
        Object.keys(JSON.parse(textOf(c.body)).channel_values)
          .filter(k => k.startsWith('branch'))
          .join(),
      )
    for (const c of books.all(
      'select checkpoint_id, channel, cast(body as text) as m, task_id from checkpoint_write where thread_id = ? order by checkpoint_id',
      textOf(it.id),
    ))
      console.log('     w', c.checkpoint_id, c.task_id, c.channel, textOf(c.m).slice(0, 80))
  }
}

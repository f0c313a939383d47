import { z } from 'zod'
import { isJobState, type JobEvent, moves, next } from '../../../../src/domain/job.ts'
import { offering } from '../../../../src/domain/offering.ts'
import { terms, toDigest } from '../../../../src/domain/proposal.ts'
import { checkDeliverable } from '../../../../src/domain/schema.ts'
import { textOf } from '../books.ts'
import type { World } from '../world.ts'
import { fundedByKey } from './money.ts'

const events = new Set<string>(Object.values(moves).flatMap(row => Object.keys(row)))
const isEvent = (text: string): text is JobEvent => events.has(text)

const move = z.object({
  job_id: z.string(),
  from: z.string().optional(),
  event: z.string().optional(),
  to: z.string(),
  attempt: z.number(),
})
type Move = z.infer<typeof move>

/** I4: the history of a job is a path of the table of moves that ends where the job stands. I5: leases are numbered upwards. */
export const checkPaths = ({ books, log }: World): string[] => {
  const told = books
    .all(`select data from run_event where kind like 'job.%' order by run_id, seq`)
    .map(it => move.parse(JSON.parse(textOf(it.data))))
  const paths = Map.groupBy(told, it => it.job_id)
  return books.all('select id, state, attempt from job').flatMap(job => {
    const id = textOf(job.id)
    const path = paths.get(id) ?? []
    const leases = path.filter(it => it.event === 'lease').map(it => it.attempt)
    const given = log.deliveries.get(id) ?? 0
    return [
      ...checkPath(id, path),
      ...(path.at(-1)?.to === job.state ? [] : [`I4 job ${id} is ${job.state}, its history ends at ${path.at(-1)?.to}`]),
      ...leases.flatMap((attempt, at) => (attempt === at + 1 ? [] : [`I5 job ${id}: lease ${at + 1} has the number ${attempt}`])),
      ...(given <= leases.length ? [] : [`I5 job ${id} was given out ${given} times under ${leases.length} leases`]),
      ...(Number(job.attempt) <= 3 ? [] : [`I11 job ${id} was delivered ${job.attempt} times`]),
    ]
  })
}

const checkPath = (id: string, path: Move[]): string[] =>
  path.flatMap(({ from, event, to }, at) => {
    if (at === 0) return to === 'open' ? [] : [`I4 job ${id} starts as ${to}`]
    const before = path[at - 1]?.to
    if (from !== before) return [`I4 job ${id} moved from ${from}, but it was ${before}`]
    const leadsTo = from && event && isJobState(from) && isEvent(event) ? next(from, event) : undefined
    return leadsTo === to ? [] : [`I4 job ${id}: ${from} --${event}--> ${to} is not in the table`]
  })

/** I6 and I7: whoever was hired was agreed to by the user whose money it is, in time, at these terms. */
export const checkConsent = (world: World): string[] => {
  const { books, log } = world
  const proposals =
    books.all(`select run_id, json_extract(data, '$.proposal.digest') as digest, json_extract(data, '$.proposal.lapsesAt') as lapses_at
    from run_event where kind = 'proposed'`)
  return books
    .all(
      'select j.id, j.run_id, j."user", j.terms, j.offering, j.budget, j.agent_wallet, j.agent_id, r.conversation_id from job j join run r on r.id = j.run_id',
    )
    .flatMap(job => {
      const agreed = terms.parse(JSON.parse(textOf(job.terms)))
      const listed = offering.parse(JSON.parse(textOf(job.offering)))
      const digest = toDigest(agreed)
      const told = proposals.filter(it => it.run_id === job.run_id && it.digest === digest).map(it => Number(it.lapses_at))
      const shown = log.shown.filter(it => it.runId === job.run_id && it.digest === digest).map(it => it.lapsesAt)
      const lapsesAt = Math.max(...told, ...shown)
      const yes = log.consents.find(
        it =>
          it.user === job.user &&
          (it.digest === undefined || it.digest === digest) &&
          (it.runId === job.run_id || it.conversationId === job.conversation_id) &&
          it.at <= lapsesAt,
      )
      const price = Number(listed.price)
      if (!yes && process.env.DEBUG)
        console.log(
          told,
          log.consents.filter(it => it.user === job.user),
          job.run_id,
          job.conversation_id,
          books.all('select * from run_input'),
          books.all('select seq, kind, at, summary from run_event where run_id = ?', textOf(job.run_id)),
        )
      return [
        ...(yes ? [] : [`I6 job ${job.id} was hired without a yes of ${job.user} to ${digest}`]),
        ...(price === Number(agreed.price) ? [] : [`I6 job ${job.id}: agreed at ${agreed.price}, listed at ${listed.price}`]),
        ...(Math.round(price * 1e6) === Number(job.budget) ? [] : [`I6 job ${job.id}: price ${price}, budget ${job.budget}`]),
        ...(world.log.agentWallets.get(textOf(job.agent_id)) === job.agent_wallet
          ? []
          : isUnheard(world, textOf(job.agent_id))
            ? []
            : [`I7 job ${job.id} pays ${job.agent_wallet}`]),
      ]
    })
}

// An agent whose registration was never answered does not know its own wallet.
const isUnheard = ({ log }: World, agentId: string) => !log.agentWallets.has(agentId)

/** I6 and I7 on chain: every job that our wallets funded is one of ours, at its price, for its agent. */
export const checkHires = (world: World): string[] => {
  const jobs = new Map(world.books.all('select id, budget, agent_wallet, user_wallet from job').map(it => [textOf(it.id), it]))
  return [...fundedByKey(world)].flatMap(([key, funded]) =>
    funded.flatMap(it => {
      const job = jobs.get(key)
      if (!job) return [`I6 a job with the key ${key} was funded by ${it.client}, and we know none`]
      return [
        ...(String(it.budget) === job.budget ? [] : [`I6 job ${key} was funded with ${it.budget} instead of ${job.budget}`]),
        ...(it.provider === job.agent_wallet ? [] : [`I7 job ${key} pays ${it.provider} instead of ${job.agent_wallet}`]),
        ...(it.client === job.user_wallet ? [] : [`I6 job ${key} was funded by ${it.client} instead of ${job.user_wallet}`]),
      ]
    }),
  )
}

/** I4: the first accepted deliverable stands, it came from the agent of the job, and only one that passes is paid. */
export const checkDeliverables = ({ books, log }: World): string[] => {
  const handed = Map.groupBy(
    log.handed.filter(it => it.accepted),
    it => it.jobId,
  )
  return books
    .all(
      `select id, state, agent_id, deliverable, offering, (select count(*) from run_event e where e.run_id = job.run_id and e.kind = 'job.submitted') as submits from job`,
    )
    .flatMap(job => {
      const id = textOf(job.id)
      const accepted = handed.get(id) ?? []
      const different = new Set(accepted.map(it => it.deliverable)).size
      const isPaid = job.state === 'settling' || job.state === 'settled'
      const schema = offering.parse(JSON.parse(textOf(job.offering))).deliverable
      return [
        ...(different <= Number(job.submits)
          ? []
          : [`I4 ${different} different deliverables of job ${id} were accepted, ${job.submits} taken`]),
        ...accepted
          .filter(it => it.agentId !== job.agent_id)
          .map(it => `I4 ${it.agentId} handed in job ${id} of ${job.agent_id}`),
        ...(isPaid && !checkDeliverable(schema, textOf(job.deliverable)).pass
          ? [`I2 job ${id} is paid for a deliverable that breaks its schema`]
          : []),
      ]
    })
}

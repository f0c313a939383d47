import { offering } from '../../../../src/domain/offerings/offering.ts'
import { terms, toDigest } from '../../../../src/domain/runs/proposal.ts'
import { takesPlainText } from '../../../../src/domain/schemas/testInput.ts'
import { type BookRow, textOf } from '../books.ts'
import { usdcDecimals } from '../chain/port.ts'
import type { World } from '../world.ts'
import { isNothing } from './deliverables.ts'
import { fundedByKey } from './money.ts'
import { unless } from './unless.ts'

/** The yes to a step of a plan is that to its plan, in the run that proposed it. */
const jobs = `select j.id, coalesce(r.parent, j.run_id) as run_id, coalesce(p.mandate_id, j.mandate_id) as mandate_id, j."user", j.terms,
  j.offering, j.budget, j.agent_wallet, j.agent_id, r.conversation_id, p.digest as plan_digest
  from job j join run r on r.id = j.run_id left join plan p on p.run_id = r.parent where not exists (select 1 from paid_call p where p.job_id = j.id)`

const proposals = `select run_id, json_extract(data, '$.proposal.digest') as digest,
  json_extract(data, '$.proposal.lapsesAt') as lapses_at from run_event where kind = 'proposed'
  union all select run_id, json_extract(data, '$.plan.digest'), json_extract(data, '$.plan.lapsesAt') from run_event
  where kind = 'plan.proposed'`

/** I6 and I7: every hire has the consent of the user who pays, in time and for these terms. */
export const checkConsent = (world: World): string[] => {
  const proposed = world.books.all(proposals)
  return world.books.all(jobs).flatMap(job => {
    const agreed = terms.parse(JSON.parse(textOf(job.terms)))
    const { price, requirement } = offering.parse(JSON.parse(textOf(job.offering)))
    const digest = textOf(job.plan_digest) || toDigest(agreed)
    const wallet = world.log.agentWallets.get(textOf(job.agent_id))
    return [
      ...unless(
        job.mandate_id !== null || hasConsent(world, { job, digest, proposed }),
        `I6 job ${job.id} was hired without a yes of ${job.user} to ${digest}`,
      ),
      ...unless(
        !takesPlainText(requirement) || !isNothing(agreed.input),
        `I6 job ${job.id} was hired with nothing of what its user said`,
      ),
      ...unless(Number(price) === Number(agreed.price), `I6 job ${job.id}: agreed at ${agreed.price}, listed at ${price}`),
      ...unless(toAtomic(price) === Number(job.budget), `I6 job ${job.id}: price ${price}, budget ${job.budget}`),
      // An agent whose registration got no response does not know its own wallet.
      ...unless(wallet === undefined || wallet === job.agent_wallet, `I7 job ${job.id} pays ${job.agent_wallet}, not ${wallet}`),
    ]
  })
}

const toAtomic = (price: string) => Math.round(Number(price) * 10 ** usdcDecimals)

type Agreed = { job: BookRow; digest: string; proposed: BookRow[] }

/** The user knows until when the terms are open from the log of the run, or from its record. */
const hasConsent = ({ log }: World, { job, digest, proposed }: Agreed): boolean => {
  const told = proposed.filter(it => it.run_id === job.run_id && it.digest === digest).map(it => Number(it.lapses_at))
  const shown = log.shown.filter(it => it.runId === job.run_id && it.digest === digest).map(it => it.lapsesAt)
  const lapsesAt = Math.max(...told, ...shown)
  return log.consents.some(
    it =>
      it.user === job.user &&
      (it.digest === undefined || it.digest === digest) &&
      (it.runId === job.run_id || it.conversationId === job.conversation_id) &&
      it.at <= lapsesAt,
  )
}

const shown = `select r.id, json_extract(r.proposal, '$.lapsesAt') as lapses_at from run r
  where r.state = 'awaiting-confirmation' and r.wake_at is null and r.held_until is null
  and json_extract(r.proposal, '$.agentId') is not null and not exists (select 1 from run_event e
    where e.run_id = r.id and e.kind = 'proposed'
    and json_extract(e.data, '$.proposal.digest') = json_extract(r.proposal, '$.digest')
    and json_extract(e.data, '$.proposal.lapsesAt') = json_extract(r.proposal, '$.lapsesAt'))`

/** I10: a hire that is proposed is open until the time that the log of its run has told. */
export const checkTimesTold = ({ books }: World): string[] =>
  books.all(shown).map(it => `I10 the proposal of run ${it.id} is open until ${it.lapses_at}, its log has another time`)

/** I6 and I7 on chain: every job that our wallets funded is one of ours, at its price and for its agent. */
export const checkHires = (world: World): string[] => {
  const known = new Map(world.books.all('select id, budget, agent_wallet, user_wallet from job').map(it => [textOf(it.id), it]))
  return [...fundedByKey(world)].flatMap(([key, funded]) =>
    funded.flatMap(({ budget, provider, client }) => {
      const job = known.get(key)
      if (!job) return [`I6 a job with the key ${key} was funded by ${client}, and we know none`]
      return [
        ...unless(String(budget) === job.budget, `I6 job ${key} was funded with ${budget} instead of ${job.budget}`),
        ...unless(provider === job.agent_wallet, `I7 job ${key} pays ${provider} instead of ${job.agent_wallet}`),
        ...unless(client === job.user_wallet, `I6 job ${key} was funded by ${client} instead of ${job.user_wallet}`),
      ]
    }),
  )
}

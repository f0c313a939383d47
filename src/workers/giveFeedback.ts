import { parseAgentId } from '../domain/agents/agentId.ts'
import { ratingOf, tagsOf, toFeedbackFile } from '../operations/feedback/feedback.ts'
import type { Chain, Follower, Ids, Job, Store } from '../ports.ts'
import { inSequence } from './inSequence.ts'
import type { Worker } from './loop.ts'

type Reach = { store: Store; chain: Chain; ids: Ids; publicUrl: string; followers: readonly Follower[] }

const atOnce = 20

/**
 * After the end of a job, its client's wallet gives feedback in the reputation registry (ERC-8004), once. The feedback does not
 * affect the job. Owners who hired their own agent give none. A feature may add more in the same transaction.
 */
export const giveFeedback = (deps: Reach): Worker => ({
  name: `giveFeedback ${deps.chain.chainId}`,
  channel: 'feedback',
  idleMs: 1_000,
  async runOnce() {
    const unrated = await deps.store.unratedJobs(deps.chain.chainId, atOnce)
    await inSequence(unrated, job => rate(deps, job))
    return unrated.length === atOnce
  },
})

const nothing = ''

const rate = async ({ store, chain, ids, publicUrl, followers }: Reach, job: Job) => {
  const { id, agentId, chainId, userWallet } = job
  const number = parseAgentId(agentId)?.number
  const [agent, postings] = await Promise.all([store.agent(agentId), store.ledger({ jobId: id })])
  if (number === undefined || !agent || agent.owner === job.user || !chain.giveFeedback)
    return void (await store.setFeedback(id, nothing))
  const file = toFeedbackFile(job, postings, chain)
  const uri = `${publicUrl}/jobs/${id}/feedback.json`
  const call = chain.giveFeedback({ agentNumber: number, value: ratingOf(job), tags: tagsOf(job), uri, file })
  const place = { chain, publicUrl, salt: ids.fresh('salt') }
  const added = followers.flatMap(it => it.afterRating?.(job, place) ?? [])
  await store.atomically(async tables => {
    if (!(await tables.setFeedback(id, file))) return
    for (const { write } of added) await write(tables)
    const feedback = { key: `job:${id}:feedback`, chainId, sender: userWallet, call, after: undefined }
    await tables.addIntents([feedback, ...added.flatMap(it => it.intents)])
  })
}

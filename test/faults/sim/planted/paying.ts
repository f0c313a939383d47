import type { Mutation } from '../mutation.ts'
import { withTables } from './withTables.ts'

/** Bugs in payments. */
export const paying: Mutation[] = [
  {
    name: 'a payout and a refund',
    without: 'one end of a job',
    focus: [],
    butler: (deps, { store, chain }) => ({
      ...deps,
      async acceptDeliverable(jobId) {
        await deps.acceptDeliverable(jobId)
        const job = await store.job(jobId)
        if (job?.chainJobId === undefined) return
        const call = chain.reject(job.chainJobId, 'too')
        await store.addIntents([
          { key: `job:${jobId}:refund`, chainId: job.chainId, sender: chain.evaluator, call, after: undefined },
        ])
      },
    }),
  },
  {
    name: 'a node that runs again hires again',
    without: 'one job a run',
    focus: [13],
    butler: (deps, { store, chain }) => ({
      ...deps,
      async openJob(runId, proposal) {
        const before = await store.jobOfRun(runId)
        const opened = await deps.openJob(runId, proposal)
        if (!before || before.budget === 0n) return opened
        const { id: jobId, userWallet: client, agentWallet: provider, budget, chainId, deadlines } = before
        const call = await chain.hire({ jobId, client, provider, budget, expiresAt: deadlines.expiresAt + 1_000 })
        await store.addIntents([{ key: `job:${jobId}:hire:again`, chainId, sender: client, call, after: undefined }])
        return opened
      },
    }),
  },
  {
    name: 'a doubt about a wish takes the pay',
    without: 'the way back to what passed before',
    focus: [],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({
        moveJob: async (id, event, patch) =>
          event === 'waive' || event === 'recall' ? undefined : tables.moveJob(id, event, patch),
      })),
    }),
  },
  {
    name: 'a price by use is paid as a whole',
    without: 'the return of the unused part',
    focus: [],
    byUse: true,
    parts: ({ store, chain }) => ({
      store,
      chain: { ...chain, completeUsed: (id, _used, reason) => chain.complete(id, reason) },
    }),
  },
  {
    name: 'more than what was used is paid',
    without: 'the price of the units',
    focus: [],
    byUse: true,
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        completeUsed: (id, used, reason) => chain.completeUsed?.(id, used * 2n, reason) ?? chain.complete(id, reason),
      },
    }),
  },
  {
    name: 'an agent says how much it used, and nobody counts',
    without: 'the count of the units',
    focus: [],
    byUse: true,
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({
        addVerdict: (id, { used, ...verdict }, deliverable) =>
          tables.addVerdict(
            id,
            { ...verdict, ...(used && { used: { ...used, charged: used.stated ?? used.charged } }) },
            deliverable,
          ),
      })),
    }),
  },
  {
    name: 'the unused part that is returned is not in the books',
    without: 'the posting of the unused part',
    focus: [],
    byUse: true,
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({
        post: async posting => (posting.key.endsWith(':unused') ? true : tables.post(posting)),
      })),
    }),
  },
  {
    name: 'any deliverable is paid',
    without: 'the check of the deliverable',
    focus: [],
    butler: deps => ({
      ...deps,
      async judge(jobId, spend) {
        const found = await deps.judge(jobId, spend)
        return found && { ...found, pass: true, criteria: [] }
      },
    }),
  },
  {
    name: 'nothing is as good as any text',
    without: 'the check that something was handed in',
    focus: [55],
    butler: (deps, { store }) => ({
      ...deps,
      async judge(jobId, spend) {
        const found = await deps.judge(jobId, spend)
        const isNothing = (await store.job(jobId))?.deliverable?.trim() === '{}'
        return found && isNothing ? { ...found, pass: true, criteria: [] } : found
      },
    }),
  },
]

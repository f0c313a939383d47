import { z } from 'zod'
import { takesPlainText } from '../../../../src/domain/schemas/testInput.ts'
import { closeJob } from '../../../../src/operations/hires/closeJob.ts'
import { selling } from '../../../assembled.ts'
import type { Mutation } from '../mutation.ts'

const completion = z.looseObject({
  status: z.string().optional(),
  result: z.looseObject({ response: z.string().optional() }).nullish(),
})

const admitted = { isAdmitted: true, isElsewhere: false, isReportDue: false }

/** Bugs in serving agents. */
export const serving: Mutation[] = [
  {
    name: 'whoever names an agent is served as that agent',
    without: 'the credential that strict mode asks for',
    focus: [78],
    deps(deps) {
      const { gateway } = deps
      const find: typeof gateway.access.find = async text => ({ ...(await gateway.access.find(text)), isStrict: false })
      return { ...deps, gateway: { ...gateway, access: { ...gateway.access, find } } }
    },
  },
  {
    name: 'the held poller is ignored',
    without: 'the hold of an agent by the process that polls for it',
    focus: [81],
    deps(deps) {
      const { gateway } = deps
      return {
        ...deps,
        gateway: { ...gateway, pollers: { ...gateway.pollers, admit: () => admitted } },
      }
    },
  },
  {
    name: 'the word of any address ends a job',
    without: 'the address that took the job',
    focus: [82],
    deps(deps) {
      const { gateway } = deps
      return { ...deps, gateway: { ...gateway, takers: { ...gateway.takers, isTaker: () => true } } }
    },
  },
  {
    name: 'a bare failure ends the job',
    without: 'the credential that a failure needs to end a job',
    focus: [82],
    parts: ({ store, chain }) => ({
      chain,
      store: {
        ...store,
        async moveJob(id, event, patch) {
          const job = event === 'requeue' ? await store.job(id) : undefined
          if (!job) return store.moveJob(id, event, patch)
          const deps = { store, chains: new Map([[chain.chainId, chain]]), selling }
          return closeJob(deps, { job, event: 'fail', reason: patch?.reason ?? '' })
        },
      },
    }),
  },
  {
    name: 'a bare failure counts against the agent',
    without: 'the count of failures that were reported without a credential',
    focus: [82, 45],
    parts: ({ store, chain }, { db }) => ({
      chain,
      store: {
        ...store,
        async moveJob(id, event, patch) {
          const moved = await store.moveJob(id, event, patch)
          if (event === 'requeue') await db.tx(sql => sql('update job set requeues = 0 where id = $1', [id]))
          return moved
        },
      },
    }),
  },
  {
    name: 'an offering without a form is hired with {}',
    without: "the user's own words as the input where no form is asked for",
    focus: [],
    butler: deps => ({
      ...deps,
      writeProposal: of => deps.writeProposal({ ...of, input: takesPlainText(of.listing.requirement) ? '{}' : of.input }),
    }),
  },
  {
    name: 'a completion that says nothing is a failure',
    without: 'the refusal of a body without a deliverable',
    focus: [80],
    async request(sent) {
      if (sent.name !== 'completeJob') return sent
      const said = completion.parse(sent.input)
      const isMute = !said.result?.response && said.status === undefined
      return isMute ? { ...sent, input: { ...said, status: 'failed', error: 'the deliverable was empty' } } : sent
    },
  },
]

import type { ButlerDeps } from '../graphs/butler/deps.ts'
import { describeLiveness } from './operations/agents/reputations.ts'
import { aboutChoices } from './operations/answers/about.ts'
import { respond, unpaid } from './operations/answers/respond.ts'
import { agreeByOrder, agreeByWords } from './operations/hires/agree.ts'
import {
  acceptDeliverable,
  judgeDeliverable,
  rejectDeliverable,
  reportVerdict,
  reviseDeliverable,
} from './operations/hires/judgeDeliverable.ts'
import { openJob } from './operations/hires/openJob.ts'
import { readFiles, readTalk, recallFiles } from './operations/hires/readTalk.ts'
import { recall } from './operations/hires/recall.ts'
import { startNext } from './operations/hires/steerPlan.ts'
import { writeProposal } from './operations/hires/writeProposal.ts'
import { blockedOf, findListings } from './operations/market/findListings.ts'
import { nameBlocked } from './operations/market/nameBlocked.ts'
import { nameOutside } from './operations/market/nameOutside.ts'
import { chainOf, type Deps } from './operations/operation.ts'
import { advancePlan, agreedPlan, seePlan } from './operations/plans/advancePlan.ts'
import { agreePlan } from './operations/plans/agreePlan.ts'
import { describePlan, readStep } from './operations/plans/describePlan.ts'
import { writePlan } from './operations/plans/writePlan.ts'
import { describeEnd } from './operations/runs/readPayments.ts'
import type { LanguageModel, Model } from './ports.ts'

/** Maximum number of listings that the butler considers for a task. */
const candidates = 24

/** The most ms that one message waits for the model. */
const defaultModelMs = 20_000

type Models = { model: LanguageModel; rules: Model; modelMs?: number }

const nothingBought = 'I cannot pay for addresses here. Nothing was paid.'

/** Dependencies of the butler's graph. The service, the tests and the fault simulation use the same wiring. */
export const toButlerDeps = (deps: Deps, { model, rules, modelMs = defaultModelMs }: Models): ButlerDeps => ({
  model,
  rules,
  modelMs,
  now: deps.clock.now,
  servesChain: chainId => deps.chains.has(chainId),
  usdcDecimals: chainId => chainOf(deps, chainId).usdcDecimals,
  tell: deps.store.addRunEvent,
  tellAll: deps.store.addRunEvents,
  recall: (runId, run) => recall(deps, runId, run),
  readTalk: (runId, run) => readTalk(deps, runId, run),
  readFiles: (runId, links) => readFiles(deps, runId, links),
  recallFiles: runId => recallFiles(deps, runId),
  respond: turn => respond(deps, turn),
  describeOffers: choices => aboutChoices(deps, choices, ''),
  tellAlive: agentId => describeLiveness(deps, agentId),
  unpaid: runId => unpaid(deps, runId),
  startNext: (runId, tasks) => startNext(deps, runId, tasks),
  findListings: (want, user) => findListings(deps, { ...want, limit: candidates, user }),
  ...(deps.supply && deps.settings.catalogues && { nameOutside: want => nameOutside(deps, want) }),
  ...(deps.blockedBy && { nameBlocked: (want, user) => nameBlocked(deps, want, user) }),
  readListing: async (agentId, offeringId, user) => {
    const [blocked, listing] = await Promise.all([blockedOf(deps, user), deps.store.listing(agentId, offeringId)])
    return blocked.has(agentId) ? undefined : listing
  },
  writeProposal: (draft, run) => writeProposal(deps, draft, run),
  agreeByOrder: (runId, proposal, run) => agreeByOrder(deps, { runId, run }, proposal),
  agreeByWords: (runId, of, run) => agreeByWords(deps, { runId, run }, of),
  writePlan: (runId, of) => writePlan(deps, runId, of),
  agreePlan: (runId, digest) => agreePlan(deps, runId, digest),
  declinePlan: deps.store.declinePlan,
  advancePlan: runId => advancePlan(deps, runId),
  agreedPlan: runId => agreedPlan(deps, runId),
  seePlan: runId => seePlan(deps, runId),
  readStep: runId => readStep(deps, runId),
  describePlan: runId => describePlan(deps, runId),
  readInput: deps.store.runInput,
  openJob: (runId, proposal, run) => openJob(deps, { runId, run }, proposal),
  quotePurchase: async (runId, of) => deps.buying?.quote(deps, runId, of) ?? { refusal: nothingBought },
  agreePurchase: async (runId, digest) => deps.buying?.agree(deps, runId, digest) ?? { refusal: 'refused', words: nothingBought },
  readPurchase: async runId => deps.store.purchase?.(runId),
  declinePurchase: async runId => deps.buying?.decline(deps, runId),
  describePurchase: async runId => deps.buying?.describe(deps, runId) ?? '',
  readJob: deps.store.job,
  judge: (jobId, asking, job) =>
    judgeDeliverable({ ...deps, job }, jobId, {
      judge: of =>
        model.judge(of, asking).catch((error: unknown) => {
          asking.fail?.()
          throw error
        }),
    }),
  tellVerdict: (jobId, verdict, job) => reportVerdict({ ...deps, job }, jobId, verdict),
  acceptDeliverable: (jobId, job) => acceptDeliverable(deps, jobId, job),
  reviseDeliverable: (jobId, verdict) => reviseDeliverable(deps, jobId, verdict),
  rejectDeliverable: (jobId, verdict) => rejectDeliverable(deps, jobId, verdict),
  describeEnd: job => describeEnd(deps, job),
})

import { isStoredDigest } from '../../domain/consent/digest.ts'
import { fileIdsIn } from '../../domain/files/namedFile.ts'
import type { Address } from '../../domain/hex.ts'
import { type Criterion, hashOf } from '../../domain/jobs/acceptance.ts'
import { deadlines } from '../../domain/jobs/deadlines.ts'
import { toJobKind } from '../../domain/jobs/job.ts'
import { parseJson } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { categoriesOf } from '../../domain/money/mandate.ts'
import { type Atomic, formatUsdc, parseUsdc } from '../../domain/money/money.ts'
import { isListed, type Listing } from '../../domain/offerings/offering.ts'
import { type Proposal, terms, toDigest } from '../../domain/runs/proposal.ts'
import {
  agentBlocked,
  fileMissing,
  gasRefused,
  mandateEnded,
  offeringChanged,
  toHireConfirmedText,
  toInsufficientText,
  toMandateLeftText,
  toNotCoveredText,
  unusedStays,
} from '../../domain/runTexts/consents.ts'
import { resultTooLong, resultUnfit } from '../../domain/runTexts/plans.ts'
import { checkInput } from '../../domain/schemas/inputCheck.ts'
import { takesPlainText } from '../../domain/schemas/testInput.ts'
import type { Agent, Job, Run } from '../../ports.ts'
import { readInputFiles } from '../files/jobFiles.ts'
import { maySpend } from '../gasBudget.ts'
import { chainOf, type Deps } from '../operation.ts'
import { readInput } from './recall.ts'

export type Refusal = { refusal: 'offering-changed' | 'not-covered' | 'insufficient-funds' | 'over-limit'; words: string }

/** `run`: its row, where it is known. */
type Opening = { runId: string; run?: Run | undefined }

/**
 * Opens the job of a run and adds the intent of its escrow, in one write. A run has one job, so a repeated call returns it. The
 * terms have the user's consent or are covered by a mandate, which is checked here. Payee and wallet come from the store.
 */
export const openJob = async (deps: Deps, { runId, run: known }: Opening, proposal: Proposal): Promise<Job | Refusal> => {
  const run = known ?? (await deps.store.run(runId))
  // Asked at once, because a database may be far away. The write that adds the job finds one that was opened since the claim.
  const [existing, agent, listing, blocked, funds] = await Promise.all([
    run?.jobId === undefined ? undefined : deps.store.jobOfRun(runId),
    deps.store.agent(proposal.agentId),
    deps.store.listing(proposal.agentId, proposal.offeringId),
    run && deps.blockedBy?.(deps.store, run.user),
    run && run.jobId === undefined ? readFunds(deps, run, proposal) : undefined,
  ])
  if (existing) return existing
  if (!run || !funds || !agent?.id || !listing || !isListed(listing) || listing.version !== proposal.offeringVersion)
    return { refusal: 'offering-changed', words: offeringChanged }
  if (blocked?.has(agent.id)) return blockedRefusal
  const { checklist, checklistHash } = proposal
  if (!isStoredDigest(proposal.digest, toDigest(proposal)) || !isAgreed(checklist, checklistHash))
    throw new RangeError('a proposal whose digest does not fit its terms')
  const unfit = run.parent === undefined ? undefined : whyUnfit(listing, proposal)
  if (unfit !== undefined) return { refusal: 'offering-changed', words: unfit }
  const { version: _version, agentId: _agentId, agentHandle: _handle, agentName: _name, chainId: _chain, ...offering } = listing
  // The file of an earlier step is known only now. The terms hold its id, whose bytes never change.
  const isStep = run.parent !== undefined
  const files = isStep ? await readInputFiles(deps, { ...proposal, schema: listing.requirement, user: run.user }) : proposal.files
  if (namesOtherFiles(listing, { ...proposal, files })) return fileRefusal
  if (proposal.usage && !chainOf(deps, proposal.chainId).completeUsed) return { refusal: 'offering-changed', words: unusedStays }
  if ('refusal' in funds) return funds
  const draft = draftJob(deps, { run, agent, proposal, funds })
  const drawn = run.parent === undefined ? await drawMandate(deps, { agent, proposal, draft }) : underPlan
  if ('refusal' in drawn) return (await deps.store.jobOfRun(runId)) ?? drawn
  // The signer looks for the amount that the plan reserved for this step.
  const closed =
    run.parent === undefined ? undefined : await deps.store.openStep({ runId, digest: proposal.digest, amount: draft.budget })
  if (closed !== undefined) return (await deps.store.jobOfRun(runId)) ?? { refusal: 'not-covered', words: closed }
  const fileIds = files?.map(it => it.file_id) ?? []
  const agreed = { digest: proposal.digest, words: drawn.words, isStep, fileIds }
  return hire(deps, { ...draft, agentId: agent.id, offering, checklist, mandateId: drawn.mandateId }, agreed)
}

/** Whether the input names a file that is not in the terms: one of somebody else, or none. */
const namesOtherFiles = ({ requirement }: Listing, { input, files = [] }: Pick<Proposal, 'input' | 'files'>): boolean =>
  fileIdsIn(requirement, parseJson(input)).some(({ id }) => !files.some(it => it.file_id === id))

/** A step of a plan has the yes of its plan. The write that opens the job looks for it. */
const underPlan: Drawn = { mandateId: undefined, words: undefined }

/** Why the input of a step does not fit its requirement: a result of an earlier step stands in it. */
const whyUnfit = ({ requirement }: Listing, { input }: Proposal): string | undefined => {
  if (input.length > limits.messageChars) return resultTooLong
  if (takesPlainText(requirement)) return input.trim() === '' ? resultUnfit : undefined
  const values = readInput(input)
  return checkInput(requirement, values).pass ? undefined : resultUnfit
}

type Drawing = { agent: Agent; proposal: Proposal; draft: Pick<Draft, 'runId' | 'chainId' | 'budget'> }
type Drawn = { mandateId: string | undefined; words: string | undefined }

/** Reserves the budget under the mandate of a proposal without direct consent, before anything is signed. */
const drawMandate = async ({ store, ...deps }: Deps, { agent, proposal, draft }: Drawing): Promise<Drawn | Refusal> => {
  const { runId, budget, chainId } = draft
  const { digest, mandate } = proposal
  if (!mandate?.covers || (await store.consents(runId)).includes(digest)) return { mandateId: undefined, words: undefined }
  const drawing = { mandateId: mandate.mandate_id, runId, digest, amount: budget, categories: categoriesOf(agent.card) }
  const drawn = await store.drawOnMandate(drawing)
  if (!drawn.isCovered) return notCovered(drawn.why)
  const left = formatUsdc(drawn.left, chainOf(deps, chainId).usdcDecimals)
  return { mandateId: mandate.mandate_id, words: toMandateLeftText({ left, mandate }) }
}

const notCovered = (why: string): Refusal => ({ refusal: 'not-covered', words: toNotCoveredText(why) })

/** The checklist must have the hash in the terms. Old terms have none. */
const isAgreed = (checklist: Criterion[], hash: string | undefined) =>
  hash === undefined ? checklist.length === 0 : hash === hashOf(checklist)

/** The wallet of the user, and what it pays in atomic USDC. */
type Funds = { userWallet: Address; budget: Atomic; fee: Atomic }
type Hire = { run: Run; agent: Agent; proposal: Proposal; funds: Funds }

type Draft = Parameters<Deps['store']['addJob']>[0]

const readFunds = async (deps: Deps, run: Run, proposal: Proposal): Promise<Refusal | Funds> => {
  const userWallet = await deps.wallets.ensure('user', run.user)
  const chain = chainOf(deps, proposal.chainId)
  const budget = parseUsdc(proposal.total, chain.usdcDecimals)
  const fee = parseUsdc(proposal.fee, chain.usdcDecimals)
  if (budget === undefined || fee === undefined)
    throw new RangeError(`a proposal whose amounts do not fit chain ${chain.chainId}`)
  const [balance, limited] = await Promise.all([
    chain.usdcBalance(userWallet),
    budget > 0n ? chain.spendingRefusal?.({ client: userWallet, budget, runId: run.id }) : undefined,
  ])
  if (balance < budget) {
    const words = toInsufficientText(formatUsdc(balance, chain.usdcDecimals), proposal.total)
    return { refusal: 'insufficient-funds', words }
  }
  return limited ? { refusal: 'over-limit', words: limited } : { userWallet, budget, fee }
}

const draftJob = (
  { ids, clock }: Deps,
  { run, agent, proposal, funds }: Hire,
): Omit<Draft, 'agentId' | 'offering' | 'checklist'> => ({
  id: ids.fresh('job'),
  runId: run.id,
  agentWallet: agent.wallet,
  chainId: proposal.chainId,
  user: run.user,
  ...funds,
  terms: terms.parse(proposal),
  deadlines: deadlines(proposal.slaMinutes, clock.now()),
})

/**
 * `digest`: the digest of the proposal, as it is stored. `words`: what is left of the mandate; undefined when the user confirmed
 * the hire. `isStep`: the run is a step of a plan. `fileIds`: the files of the input.
 */
type Agreed = { digest: string; words: string | undefined; isStep: boolean; fileIds: string[] }

/** Undoes the transaction that opens a job, for a refusal or for the job that the run has already. */
class Undone extends Error {
  readonly refusal: Refusal | undefined
  constructor(refusal: Refusal | undefined) {
    super(refusal?.words ?? 'the run has a job')
    this.refusal = refusal
  }
}

const hire = async (deps: Deps, draft: Draft, agreed: Agreed): Promise<Job | Refusal> => {
  try {
    return await open(deps, draft, agreed)
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    const { refusal } = error
    return (
      refusal ??
      (await deps.store.jobOfRun(draft.runId)) ??
      Promise.reject(new RangeError(`run ${draft.runId} has and has not a job`))
    )
  }
}

const open = async (deps: Deps, draft: Draft, { digest, words, isStep, fileIds }: Agreed): Promise<Job | Refusal> => {
  const { id, runId, chainId, userWallet } = draft
  const chain = chainOf(deps, chainId)
  const call = toJobKind(draft) === 'hire' ? await chain.hire(toHireTerms(draft)) : undefined
  // Both transactions have the same sender, and its nonces order the approval before the hire.
  const approval = call && chain.approve?.(draft.budget)
  return deps.store.atomically(async tables => {
    // The mandate stays locked until the job is open, so a revocation comes either before or after it.
    if (draft.mandateId && !(await tables.lockDrawing({ runId, mandateId: draft.mandateId, digest })))
      return (await tables.jobOfRun(runId)) ?? notCovered(mandateEnded)
    // The plan stays locked until the job is open, so its total counts every step.
    const closed = isStep ? await tables.openStep({ runId, digest, amount: draft.budget }) : undefined
    if (closed !== undefined) return (await tables.jobOfRun(runId)) ?? { refusal: 'not-covered', words: closed }
    if (call && !(await maySpend(tables, { wallet: draft.user, chain }, 'hire'))) return gasRefusal
    const intent = { chainId, sender: userWallet, after: undefined }
    // What is asked and what is written go at once, because a database may be far away. A refusal undoes the write.
    const [blocked, files, , job] = await Promise.all([
      deps.blockedBy?.(tables, draft.user),
      fileIds.length > 0 ? tables.knownFiles(fileIds) : new Set(),
      tables.addRunEvent(runId, confirmed(draft, words)),
      tables.addJob(draft),
      approval && tables.addIntents([{ ...intent, key: `job:${id}:approve`, call: approval }]),
      call && tables.addIntents([{ ...intent, key: `job:${id}:hire`, call }]),
    ])
    if (!job) throw new Undone(undefined)
    if (blocked?.has(draft.agentId)) throw new Undone(blockedRefusal)
    if (files.size < new Set(fileIds).size) throw new Undone(fileRefusal)
    if (!(await tables.useFiles(id, 'input', fileIds))) throw new RangeError('a file that was removed while its job opened')
    if (!call) for (const event of ['fund', 'queue'] as const) await tables.moveJob(id, event) // a free job has no escrow
    return job
  })
}

const blockedRefusal: Refusal = { refusal: 'offering-changed', words: agentBlocked }
const fileRefusal: Refusal = { refusal: 'offering-changed', words: fileMissing }
const gasRefusal: Refusal = { refusal: 'over-limit', words: gasRefused }

const confirmed = ({ id, mandateId, terms: { total } }: Draft, words: string | undefined) => ({
  kind: 'confirmed' as const,
  summary: toHireConfirmedText(total, words),
  data: { job_id: id, ...(mandateId && { mandate_id: mandateId }) },
  key: 'confirmed',
})

const toHireTerms = ({ id, runId, terms: agreed, userWallet, agentWallet, budget, deadlines: { expiresAt } }: Draft) => ({
  jobId: id,
  client: userWallet,
  provider: agentWallet,
  budget,
  expiresAt,
  authorized: { runId, digest: toDigest(agreed) },
})

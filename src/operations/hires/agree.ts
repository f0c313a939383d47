import { readHireOrder } from '../../domain/consent/hireOrder.ts'
import { readConsent } from '../../domain/consent/readConsent.ts'
import { parseUsdc } from '../../domain/money/money.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import { toOffer } from '../../domain/x402/purchaseProposal.ts'
import type { ClaimedRun, Run, RunInput } from '../../ports.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import { chainOf, type Deps } from '../operation.ts'
import { isLarge, yesLimitOf } from './yesLimit.ts'

/** Keys of the user's order, and of the consent derived from it. */
export const orderKey = 'order'
const yesKey = 'order:yes'

/**
 * Returns whether the user's own order is consent to a proposal: it names the agent, and its reward covers the total. The
 * consent is recorded with the digest of these terms, once per order.
 */
export const agreeByOrder = async (
  deps: OrderDeps,
  { runId, run }: { runId: string; run?: Run | undefined },
  proposal: Proposal,
): Promise<boolean> => {
  // The first message of a run is its task. Without an order in it, none was stored.
  if (run && !readHireOrder(run.task)) return false
  const order = await deps.store.runInput(runId, orderKey)
  if (order?.kind !== 'order' || !(await isOrdered(deps, order, proposal))) return false
  if (await needsPasskey(deps, runId, proposal)) return false
  const said: RunInput = { kind: 'decision', decision: 'yes', digest: proposal.digest, text: order.text }
  const yes = (await deps.store.keepRunInput(runId, yesKey, said)) ?? (await deps.store.runInput(runId, yesKey))
  return yes?.kind === 'decision' && yes.digest === proposal.digest
}

type OrderDeps = Pick<Deps, 'store' | 'chains' | 'presence'>

/** A large order of a user with a passkey is proposed, because no passkey signed these terms. */
const needsPasskey = async ({ store, presence }: OrderDeps, runId: string, proposal: Proposal): Promise<boolean> => {
  const run = presence && (await store.run(runId))
  if (!presence || !run || !isLarge(proposal, await yesLimitOf(store, run.user))) return false
  return presence.hasPasskey(run.user, { store })
}

type Order = Extract<RunInput, { kind: 'order' }>

const isOrdered = async (deps: Pick<Deps, 'store' | 'chains'>, order: Order, proposal: Proposal): Promise<boolean> => {
  const { usdcDecimals } = chainOf(deps, proposal.chainId)
  const [reward, total] = [order.reward, proposal.total].map(it => parseUsdc(it, usdcDecimals))
  if (reward === undefined || total === undefined || total > reward) return false
  if (order.service && order.service.toLowerCase() !== proposal.offeringName.toLowerCase()) return false
  return (await resolveAgent(deps, order.agent, proposal.chainId))?.id === proposal.agentId
}

type Words = { interruptId: string; digest: string }

/**
 * Records a consent from a message, once per message. The message must be a yes by its form, sent for exactly these terms, in
 * time, by a user who may consent. Otherwise nothing is recorded and the result is false.
 */
export const agreeByWords = async (
  { store }: Pick<Deps, 'store'>,
  { runId, run: known }: { runId: string; run?: ClaimedRun | undefined },
  { interruptId, digest }: Words,
): Promise<boolean> => {
  const [said, run] = await Promise.all([
    known?.inputs?.get(interruptId) ?? store.runInput(runId, interruptId),
    known ?? store.run(runId),
  ])
  if (said?.kind !== 'said' || said.digest !== digest || said.isLapsed || !said.mayAgree) return false
  const terms = run?.proposal
  if (terms?.digest !== digest || readConsent(said.text, toOffer(terms)) !== 'yes') return false
  const yes: RunInput = { kind: 'decision', decision: 'yes', digest, text: said.text }
  const key = `${interruptId}:yes`
  const kept = (await store.keepRunInput(runId, key, yes)) ?? (await store.runInput(runId, key))
  return kept?.kind === 'decision' && kept.digest === digest
}

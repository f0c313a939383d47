import { hex } from '../../domain/hex.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { confirmationReason, type Payee } from '../../domain/money/mandate.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { toPurchaseConfirmedText, toPurchaseTask } from '../../domain/runTexts/consents.ts'
import { facilitatorIn, toApprovalKey, toValidBefore, transferMethodOf } from '../../domain/x402/purchase.ts'
import { maySpend } from '../../operations/gasBudget.ts'
import { chainOf, type Deps } from '../../operations/operation.ts'
import type { Chain, NewIntent, Purchase, Tables } from '../../ports.ts'
import { purchasesOf } from './ports.ts'

/** The mandate no longer covers the purchase. Throwing this rolls the transaction back. */
class NotCovered extends Error {}

/** Who gets the money of a purchase. */
export const payeeOf = ({ url, payTo, outside }: Pick<Purchase, 'url' | 'payTo' | 'outside'>): Payee => ({
  ...{ host: new URL(url).host, address: payTo, isOutside: outside !== '' },
})

/** Consents to a proposed purchase if a mandate of the user covers it. Otherwise returns the purchase unchanged. */
export const agreeByMandate = async (deps: Deps, purchase: Purchase): Promise<Purchase> => {
  if (purchase.state !== 'proposed') return purchase
  const { user, chainId, amount } = purchase
  const now = deps.clock.now()
  const mandates = await deps.store.mandates({ user, chainId, isLive: true, limit: limits.mandates })
  // A resource has no categories, so a mandate for some categories does not cover it.
  const payee = payeeOf(purchase)
  const fitting = mandates.find(it => confirmationReason(it, { amount, categories: [], payee, used: it.used, now }) === undefined)
  if (!fitting) return purchase
  try {
    return await agree(deps, purchase, fitting.id)
  } catch (error) {
    // The user is asked instead, and gets the reason with the answer.
    if (error instanceof NotCovered || error instanceof Problem) return purchase
    throw error
  }
}

/**
 * Stores the consent and the only authorization of the purchase in one write, before anything is signed. Of several answers,
 * the first one counts.
 * @param mandateId the mandate that covers it; undefined for the user's own yes
 * @throws Problem insufficient-funds, signing-refused, too-many-purchases; proposal-changed for other terms than the stored ones
 */
export const agree = async (deps: Deps, purchase: Purchase, mandateId: string | undefined): Promise<Purchase> => {
  const { id, user, wallet, chainId, amount, digest } = purchase
  const chain = chainOf(deps, chainId)
  const limited = await chain.spendingRefusal?.({ client: wallet, budget: amount, runId: id })
  if (limited) throw new Problem('signing-refused', limited)
  const held = await chain.usdcBalance(wallet)
  return deps.store.atomically(async tables => {
    const stored = await purchasesOf(tables).lockPurchases(user)
    const current = (await purchasesOf(tables).purchase(id)) ?? purchase
    if (current.state !== 'proposed') return current
    if (current.digest !== digest) throw new Problem('proposal-changed')
    if (stored.underWay >= limits.purchasesUnderWay) throw new Problem('too-many-purchases')
    const approval = await approvalOf(tables, { chain, purchase, now: deps.clock.now() })
    if (approval && !(await maySpend(tables, { wallet: user, chain }, 'approval'))) throw new Problem('gas-budget-used')
    if (!hasSpace(stored)) throw new Problem('too-many-purchases', noSpace)
    const { committed } = await tables.lockWithdrawals(wallet, { chainId, asset: 'usdc' })
    if (amount > held - committed) throw new Problem('insufficient-funds', 'The wallet holds too little USDC for this purchase.')
    if (await tables.stepOf(id)) {
      // The plan stays locked until the payment is stored, so its total counts every step.
      const closed = await tables.openStep({ runId: id, digest, amount })
      if (closed !== undefined) throw new Problem('signing-refused', closed)
    }
    const agreed = await consent(tables, deps, { purchase, mandateId })
    if (approval) await tables.addIntents([approval])
    return agreed
  })
}

type Approving = { chain: Chain; purchase: Purchase; now: number }

/**
 * The transaction that lets Permit2 move the amount of the purchase; undefined if the token itself takes the signature. It replaces
 * the earlier approval of the wallet, so it also covers the purchases that are under way.
 */
const approvalOf = async (tables: Tables, { chain, purchase, now }: Approving): Promise<NewIntent | undefined> => {
  if (transferMethodOf(purchase) !== 'permit2') return undefined
  const transfers = facilitatorIn(purchase) ? chain.upto : chain.permitted
  if (!transfers) throw new Problem('resource-not-payable', 'Permit2 is not available on this chain now. Nothing was paid.')
  const { id, user, chainId, wallet: sender, amount } = purchase
  const others = (await purchasesOf(tables).permittedPurchases({ user, chainId, at: now })).filter(it => it.state === 'paying')
  const call = transfers.approve(others.reduce((sum, it) => sum + it.amount, amount))
  return { key: toApprovalKey(id), chainId, sender, call, after: undefined }
}

/** Whether there is space for one more answer, and for those of the purchases that are under way. */
const hasSpace = ({ underWay, bytes, bytesOfAll }: { underWay: number; bytes: number; bytesOfAll: number }): boolean =>
  bytes + (underWay + 1) * limits.resourceBytes <= limits.resourceBytesOfUser && bytesOfAll < limits.resourceBytesOfAll

const noSpace = 'There is no space for another long answer now. Long answers are deleted after 7 days. Nothing was paid.'

type Consent = { purchase: Purchase; mandateId: string | undefined }

const consent = async (tables: Tables, deps: Deps, { purchase, mandateId }: Consent): Promise<Purchase> => {
  const { id, user, chainId, digest, amount } = purchase
  const price = formatUsdc(amount, chainOf(deps, chainId).usdcDecimals)
  const task = toPurchaseTask(price, purchase)
  // A purchase of the butler has its run, in which the user's yes is recorded.
  if (!purchase.isByButler) {
    await tables.addRun({ id, conversationId: deps.ids.fresh('conversation'), user, chainId, task, state: 'awaiting-job' })
    if (mandateId === undefined)
      await tables.addRunInput(id, 'purchase', { kind: 'decision', decision: 'yes', digest, text: 'yes' })
  }
  if (mandateId !== undefined) {
    const drawn = await tables.drawOnMandate({ mandateId, runId: id, digest, amount, categories: [], payee: payeeOf(purchase) })
    if (!drawn.isCovered) throw new NotCovered(drawn.why)
  }
  await tables.addRunEvent(id, {
    kind: 'confirmed',
    summary: toPurchaseConfirmedText(task, mandateId !== undefined),
    data: { digest, payee: purchase.payTo, ...(mandateId !== undefined && { mandate_id: mandateId }) },
    key: 'confirmed',
  })
  // A purchase always has the same nonce, so the token accepts at most one payment for it.
  const nonce = hex.parse(`0x${sha256(`x402:${user}:${id}`)}`)
  const agreed = await purchasesOf(tables).agreePurchase(id, {
    digest,
    nonce,
    validBefore: toValidBefore(purchase, deps.clock.now()),
    mandateId,
  })
  if (!agreed) throw new RangeError(`purchase ${id} was agreed to twice`)
  return agreed
}

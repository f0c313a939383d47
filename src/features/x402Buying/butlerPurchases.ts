import { isPlainRequest } from '../../domain/consent/plainRequest.ts'
import { type Address, nobody } from '../../domain/hex.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { asProblem } from '../../domain/problem.ts'
import type { PurchaseProposal } from '../../domain/runs/purchaseTerms.ts'
import { toNotCoveredText } from '../../domain/runTexts/consents.ts'
import { type Bought, toBoughtEndText, toFreeText, toUnboughtText } from '../../domain/runTexts/purchases.ts'
import { toFreeContent } from '../../domain/x402/paidAnswer.ts'
import { facilitatorIn, transferMethodOf } from '../../domain/x402/purchase.ts'
import { addressKey } from '../../domain/x402/wantedResource.ts'
import type { PurchaseRefusal, QuotedPurchase, WantedPurchase } from '../../operations/deps.ts'
import { viewMandate } from '../../operations/mandates/findMandate.ts'
import { chainOf, type Deps } from '../../operations/operation.ts'
import type { Purchase } from '../../ports.ts'
import { agree, agreeByMandate, payeeOf } from './agreePurchase.ts'
import { purchasesOf } from './ports.ts'
import { quotePurchase, toRequest } from './quotePurchase.ts'

// Purchases that the butler proposes in a conversation. Quote, consent, payment and ledger are those of /v1/purchases.

/**
 * Asks a resource for its price and proposes to pay it in a run. Returns a text for the user if there is nothing to propose: the
 * resource is free, or it cannot be bought.
 */
export const quoteForRun = async (deps: Deps, runId: string, of: WantedPurchase): Promise<QuotedPurchase> => {
  const { user } = (await deps.store.run(runId)) ?? { user: nobody }
  if (user === nobody) return { refusal: signIn }
  const id = of.id ?? runId
  const known = await purchasesOf(deps.store).purchase(id)
  if (known?.agreedAt !== undefined) return { proposal: await toProposal(deps, known, of), isAgreed: true }
  try {
    const quoted = await quoteFor(deps, { id, user, of })
    if ('free' in quoted) return { content: toFreeText(of.resource.url, toFreeContent(quoted.free.body)) }
    const { purchase } = quoted
    return { proposal: await toProposal(deps, purchase, of), isAgreed: purchase.agreedAt !== undefined }
  } catch (error) {
    return { refusal: toUnboughtText(of.resource.url, asProblem(error).detail) }
  }
}

const signIn = 'To pay for an address, send the message with your token. Nothing was paid.'

const quoteFor = (deps: Deps, { id, user, of }: { id: string; user: Address; of: WantedPurchase }) => {
  const { resource, chainId, maxPrice: max } = of
  const request = toRequest(deps, { url: resource.url, method: undefined, body: resource.body })
  const chain = chainOf(deps, chainId)
  return quotePurchase(deps, { id, user, chain, request, max, isByButler: true, signal: new AbortController().signal })
}

const toProposal = async (deps: Deps, it: Purchase, { isAsked }: Pick<WantedPurchase, 'isAsked'>): Promise<PurchaseProposal> => {
  const { chainId, amount, user } = it
  const refusal = isAsked ? askedBefore : (await isNamed(deps, it)) ? undefined : notNamed
  return {
    ...{ kind: 'purchase', chainId, url: it.url, method: it.method },
    ...(it.body !== undefined && { bodyHash: sha256(it.body) }),
    ...{ total: formatUsdc(amount, chainOf(deps, chainId).usdcDecimals), payee: it.payTo, asset: it.asset, payer: it.wallet },
    ...(transferMethodOf(it) === 'permit2' && { approves: 'permit2' as const }),
    ...(facilitatorIn(it) && { scheme: 'upto' as const }),
    ...(it.outside && { outside: it.outside }),
    ...{ description: it.description, digest: it.digest, lapsesAt: it.createdAt + limits.proposalMs },
    mandate: (await viewMandate(deps, user, { chainId, amount, categories: [], payee: payeeOf(it), refusal })) ?? null,
  }
}

const askedBefore = 'this message needs your own yes'
const notNamed = 'you did not plainly tell me yourself to pay this address'

/**
 * Whether the user's own first message of the run plainly named the address. Messages of programs and waiting tasks do not
 * count.
 */
const isNamed = async ({ store, settings }: Deps, { id, url }: Purchase): Promise<boolean> => {
  const named = await store.runInput(id, addressKey)
  if (!isPlainRequest((await store.run(id))?.task ?? '')) return false
  return named?.kind === 'answer' && toRequest({ settings }, { url: named.text, method: undefined, body: undefined }).url === url
}

/**
 * Starts the payment of the purchase that a run proposed, once. The terms have the user's consent in this run, or a mandate
 * covers them, which is checked here.
 */
export const agreeForRun = async (deps: Deps, runId: string, digest: string): Promise<Purchase | PurchaseRefusal> => {
  const purchase = await purchasesOf(deps.store).purchase(runId)
  if (purchase?.agreedAt !== undefined) return purchase
  if (purchase?.state !== 'proposed' || purchase.digest !== digest) return { refusal: 'changed', words: termsChanged }
  try {
    // The write looks for the yes to the plan.
    const isStep = (await deps.store.stepOf(runId)) !== undefined
    if (isStep || (await deps.store.consents(runId)).includes(digest)) return await agree(deps, purchase, undefined)
    const drawn = (await isNamed(deps, purchase)) ? await agreeByMandate(deps, purchase) : purchase
    return drawn.state === 'proposed' ? { refusal: 'not-covered', words: toNotCoveredText(notEnough) } : drawn
  } catch (error) {
    return { refusal: 'refused', words: toUnboughtText(purchase.url, asProblem(error).detail) }
  }
}

const termsChanged = 'The terms changed since I proposed them.'
const notEnough = 'its limits or your wallet do not allow it now'

/** Describes how the purchase of a run ended and where its money is. The answer is quoted as the seller's text. */
export const describePurchase = async (deps: Pick<Deps, 'store' | 'chains'>, runId: string): Promise<string> => {
  const it = await purchasesOf(deps.store).purchase(runId)
  if (!it) return ''
  const say = (amount: Atomic) => formatUsdc(amount, chainOf(deps, it.chainId).usdcDecimals)
  const bought: Bought = { ...it, total: say(it.amount), ...(it.taken !== undefined && { paid: say(it.taken) }) }
  return toBoughtEndText(bought)
}

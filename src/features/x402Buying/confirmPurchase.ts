import { z } from 'zod'
import { sentDigest } from '../../domain/consent/sentDigest.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { isUnderWay } from '../../domain/x402/purchase.ts'
import { answerProposal } from '../../operations/hires/confirmHire.ts'
import { demandPasskeyAbove } from '../../operations/hires/yesLimit.ts'
import { type Caller, chainOf, type Deps, operation, userOf } from '../../operations/operation.ts'
import { awaitRun, waitMs } from '../../operations/runs/awaitRun.ts'
import { ownRun } from '../../operations/runs/readRun.ts'
import { waitUntil } from '../../operations/waiting.ts'
import type { Purchase } from '../../ports.ts'
import { purchaseRecord } from '../../records/purchase.ts'
import { agree } from './agreePurchase.ts'
import { purchasesOf } from './ports.ts'
import { toPurchaseRecord } from './purchaseRecord.ts'

const purchaseId = z.string().max(100)

export const confirmPurchase = operation({
  name: 'confirmPurchase',
  summary:
    "Answer a proposed purchase with the user's own yes or no. " +
    'A yes pays exactly the proposed price from the custodial wallet; it is only valid for the terms with this digest.',
  scope: 'hire',
  repeats: 'same',
  isYes: ({ decision }) => decision === 'yes',
  input: z.object({
    purchase_id: purchaseId,
    digest: sentDigest.describe('The digest of the proposal that the user has seen'),
    decision: z.enum(['yes', 'no']).describe('The answer of the user'),
    wait_ms: waitMs,
  }),
  output: purchaseRecord,

  async run({ purchase_id, digest, decision, wait_ms }, deps, caller) {
    const purchase = await ownPurchase(deps, purchase_id, caller)
    if (purchase.isByButler) return answerButler(deps, purchase, { digest, decision, wait_ms, caller })
    if (purchase.digest !== digest) throw new Problem('proposal-changed')
    const answered = await (decision === 'yes' ? sayYes(deps, purchase, caller) : sayNo(deps, purchase))
    return toPurchaseRecord(deps, await awaitEnd(deps, answered, { caller, forMs: wait_ms }))
  },
})

type Answer = { digest: string; decision: 'yes' | 'no'; wait_ms: number; caller: Caller }

/** Answers the proposal of the butler in its run, so that the conversation and this operation agree. */
const answerButler = async (deps: Deps, { id }: Purchase, { digest, decision, wait_ms, caller }: Answer) => {
  await answerProposal(await ownRun(deps, id, caller), { digest, decision, passkeyAnswer: caller.passkeyAnswer }, deps)
  await awaitRun(deps, id, { deadline: deps.clock.now() + wait_ms, caller })
  return toPurchaseRecord(deps, await ownPurchase(deps, id, caller))
}

const sayYes = async (deps: Deps, purchase: Purchase, caller: Caller): Promise<Purchase> => {
  if (purchase.state === 'proposed' && purchase.createdAt + limits.proposalMs < deps.clock.now())
    throw new Problem('proposal-expired', 'Ask for the price again.')
  if (purchase.state === 'proposed') await askPasskey(deps, purchase, caller)
  const agreed = purchase.state === 'proposed' ? await agree(deps, purchase, undefined) : purchase
  if (agreed.state === 'declined') throw new Problem('nothing-proposed', 'The purchase was declined.')
  return agreed
}

/** A large purchase needs the passkey, as a large hire does. @throws PasskeyProblem, Problem signature-mismatch */
const askPasskey = async (deps: Deps, { id, user, chainId, amount, digest }: Purchase, caller: Caller): Promise<void> => {
  const total = formatUsdc(amount, chainOf(deps, chainId).usdcDecimals)
  const yes = { user, operation: 'confirmPurchase', digest, total, terms: { purchase_id: id } }
  await demandPasskeyAbove(deps, yes, caller.passkeyAnswer)
}

const sayNo = async ({ store }: Deps, purchase: Purchase): Promise<Purchase> => {
  const declined = (await purchasesOf(store).declinePurchase(purchase.id)) ?? (await purchasesOf(store).purchase(purchase.id))
  if (declined?.state !== 'declined') throw new Problem('nothing-proposed', 'The purchase was already agreed to.')
  return declined
}

const awaitEnd = async (deps: Deps, of: Purchase, { caller, forMs }: { caller: Caller; forMs: number }): Promise<Purchase> => {
  const at = { channel: `run:${of.id}`, deadline: deps.clock.now() + forMs, signal: caller.signal }
  const ended = await waitUntil(deps, at, async () => {
    const now = await purchasesOf(deps.store).purchase(of.id)
    return now && !isUnderWay(now) ? now : undefined
  })
  return ended ?? (await purchasesOf(deps.store).purchase(of.id)) ?? of
}

/** A purchase of the caller. @throws Problem unauthenticated, purchase-not-found */
const ownPurchase = async ({ store }: Pick<Deps, 'store'>, id: string, caller: Caller): Promise<Purchase> => {
  const found = await purchasesOf(store).purchase(id)
  if (found?.user !== userOf(caller)) throw new Problem('purchase-not-found')
  return found
}

export const readPurchase = operation({
  name: 'readPurchase',
  summary: "The state of one of your purchases, with the seller's answer.",
  scope: 'look',
  input: z.object({ purchase_id: purchaseId }),
  output: purchaseRecord,

  run: async ({ purchase_id }, deps, caller) => toPurchaseRecord(deps, await ownPurchase(deps, purchase_id, caller)),
})

export const listPurchases = operation({
  name: 'listPurchases',
  summary: 'Your purchases of x402 resources, newest first, without the answers of their sellers.',
  scope: 'look',
  input: z.object({}),
  output: z.object({ purchases: z.array(purchaseRecord) }),

  async run(_, deps, caller) {
    const found = await purchasesOf(deps.store).purchases({ user: userOf(caller), limit: limits.purchasesADay })
    return { purchases: found.map(it => ({ ...toPurchaseRecord(deps, it), content: '' })) }
  },
})

export const readAnswer = operation({
  name: 'readAnswer',
  summary:
    "A part of the seller's answer to one of your purchases, as bytes. Parts have 256 KiB, and the last one less. " +
    'Together they are all that arrived.',
  scope: 'look',
  input: z.object({
    purchase_id: purchaseId,
    part: z.coerce.number().int().min(0).max(1_000).default(0).describe('Number of the part, from 0'),
  }),
  output: z.object({
    part: z.number(),
    parts: z.number().describe('Number of all parts'),
    content_type: z.string().describe("The seller's own words"),
    base64: z.string().describe('The bytes of this part'),
  }),

  async run({ purchase_id, part }, deps, caller) {
    const purchase = await ownPurchase(deps, purchase_id, caller)
    const bytes =
      purchase.answerParts > 0 ? await purchasesOf(deps.store).answerPart(purchase_id, part) : part === 0 && contentOf(purchase)
    if (!bytes) throw new Problem('purchase-not-found', 'There is no such part of an answer. Parts are deleted after 7 days.')
    const { answerParts, contentType = '' } = purchase
    return { part, parts: Math.max(answerParts, 1), content_type: contentType, base64: Buffer.from(bytes).toString('base64') }
  },
})

const contentOf = ({ content, answerEnding, answerBytes }: Purchase): Uint8Array | undefined => {
  if (content === undefined) return undefined
  const [, base64] = /^data:[^;,]{1,130};base64,([\w+/=]*)$/.exec(content) ?? []
  const bytes = base64 === undefined ? Buffer.from(content) : Buffer.from(base64, 'base64')
  // After its time a long answer has only its beginning, which is a text for people.
  return answerEnding === undefined || bytes.length === answerBytes ? bytes : undefined
}

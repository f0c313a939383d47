import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import { operation } from '../../operations/operation.ts'
import type { Purchase } from '../../ports.ts'
import { ownPurchase, purchaseId } from './confirmPurchase.ts'
import { purchasesOf } from './ports.ts'

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

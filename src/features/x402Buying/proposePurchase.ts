import { z } from 'zod'
import { chainId } from '../../domain/chains/chains.ts'
import type { Address } from '../../domain/hex.ts'
import { json, sha256 } from '../../domain/json.ts'
import { toFreeContent } from '../../domain/x402/paidAnswer.ts'
import type { PaidRequest } from '../../domain/x402/purchase.ts'
import { chainOf, type Deps, operation, userOf } from '../../operations/operation.ts'
import type { Chain, ResourceAnswer } from '../../ports.ts'
import { type PurchaseRecord, purchaseRecord } from '../../records/purchase.ts'
import { agreeByMandate } from './agreePurchase.ts'
import { purchasesOf } from './ports.ts'
import { toPurchaseRecord } from './purchaseRecord.ts'
import { quotePurchase, toRequest } from './quotePurchase.ts'

export const proposePurchase = operation({
  name: 'proposePurchase',
  summary:
    'Ask an x402 resource for its price. Nothing is paid, unless a mandate of the user covers it: confirm with the digest. ' +
    'The same Idempotency-Key gives the same purchase.',
  scope: 'hire',
  repeats: 'same',
  input: z.strictObject({
    url: z.string().max(2_048).describe('Address of the resource'),
    method: z.enum(['GET', 'POST']).optional().describe('POST when there is a body, else GET'),
    body: json.optional().describe('What the resource gets as its JSON body'),
    chain_id: chainId,
    max: z
      .union([z.string().max(100), z.number()])
      .optional()
      .describe('The most that it may cost, in decimal USDC'),
    price_only: z.boolean().default(false).describe('Only propose it, also where a mandate covers it'),
  }),
  output: purchaseRecord,

  async run({ url, method, body, chain_id, max, price_only }, deps, caller) {
    const user = userOf(caller)
    const id = toId(deps, user, caller.idempotencyKey)
    const known = await purchasesOf(deps.store).purchase(id)
    if (known) return toPurchaseRecord(deps, known)
    const chain = chainOf(deps, chain_id)
    const request = toRequest(deps, { url, method, body })
    const signal = caller.signal ?? new AbortController().signal
    const quoted = await quotePurchase(deps, { id, user, chain, request, max, isByButler: false, signal })
    if ('free' in quoted) return toFree(request, quoted.free, { id, chain, wallet: user })
    return toPurchaseRecord(deps, price_only ? quoted.purchase : await agreeByMandate(deps, quoted.purchase))
  },
})

/** The same idempotency key gives the same purchase, and so the same authorization. */
const toId = ({ ids }: Pick<Deps, 'ids'>, user: Address, key: string | undefined) =>
  key === undefined ? ids.fresh('run') : `run_${sha256(`purchase:${user}:${key}`).slice(0, 32)}`

type Buyer = { id: string; chain: Chain; wallet: Address }

const toFree = ({ url, method }: PaidRequest, { status, body, contentType }: ResourceAnswer, of: Buyer): PurchaseRecord => ({
  ...{ purchase_id: of.id, state: 'free', url, method, price: '0', currency: 'USDC', payer: of.wallet, payee: '' },
  ...{
    asset: of.chain.addresses.usdc,
    network: `eip155:${of.chain.chainId}`,
    description: '',
    outside: '',
    digest: '',
    lapses_at: '',
  },
  ...{ transfer_method: 'eip3009' as const, scheme: 'exact' as const, paid: null },
  ...{ mandate_id: null, status, content_type: contentType, content: toFreeContent(body) },
  ...{ bytes: Buffer.byteLength(body), ending: 'whole' as const, parts: 0, reason: '', transaction: null },
})

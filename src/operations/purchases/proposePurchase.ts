import { z } from 'zod'
import { chainId } from '../../domain/chains.ts'
import type { Address } from '../../domain/hex.ts'
import { json, sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc, parseUsdc } from '../../domain/money.ts'
import { Problem } from '../../domain/problem.ts'
import { checkEndpoint } from '../../domain/publicAddress.ts'
import { chooseOffer, type Offer, type PaidRequest, toPurchaseDigest } from '../../domain/purchase.ts'
import type { Chain, Purchase, ResourceAnswer } from '../../ports.ts'
import { type Caller, chainOf, type Deps, operation, userOf } from '../operation.ts'
import { agreeByMandate } from './agreePurchase.ts'
import { type PurchaseRecord, purchaseRecord, toPurchaseRecord } from './purchaseRecord.ts'

export const proposePurchase = operation({
  name: 'proposePurchase',
  summary:
    'Ask an x402 resource for its price. Nothing is paid, unless a mandate of the user covers it: confirm with the digest. The same Idempotency-Key gives the same purchase.',
  caller: 'user',
  repeats: 'same',
  input: z.object({
    url: z.string().max(2_048).describe('Address of the resource'),
    method: z.enum(['GET', 'POST']).optional().describe('POST when there is a body, else GET'),
    body: json.optional().describe('What the resource gets as its JSON body'),
    chain_id: chainId,
    max: z
      .union([z.string().max(100), z.number()])
      .nullish()
      .describe('The most that it may cost, in decimal USDC'),
    price_only: z.boolean().default(false).describe('Only propose it, also where a mandate covers it'),
  }),
  output: purchaseRecord,

  async run({ url, method, body, chain_id, max, price_only }, deps, caller) {
    const user = userOf(caller)
    const id = toId(deps, user, caller.idempotencyKey)
    const known = await deps.store.purchase(id)
    if (known) return toPurchaseRecord(deps, known)
    const chain = chainOf(deps, chain_id)
    const request = toRequest(deps, { url, method, body })
    const answer = await ask(deps, user, { request, caller })
    if (answer.status >= 200 && answer.status < 300) return toFree(request, answer, { id, chain, wallet: user })
    const offer = await readOffer(chain, answer)
    checkMax(offer, chain, max ?? undefined)
    const proposed = await keep(deps, { id, user, chain, request, offer })
    return toPurchaseRecord(deps, price_only ? proposed : await agreeByMandate(deps, proposed))
  },
})

/** The same idempotency key gives the same purchase, and so the same authorization. */
const toId = ({ ids }: Pick<Deps, 'ids'>, user: Address, key: string | undefined) =>
  key === undefined ? ids.fresh('run') : `run_${sha256(`purchase:${user}:${key}`).slice(0, 32)}`

type Asked = { url: string; method: PaidRequest['method'] | undefined; body: unknown }

const toRequest = ({ settings }: Pick<Deps, 'settings'>, { url, method, body }: Asked): PaidRequest => {
  const { href } = checkEndpoint(url, { allowsPrivate: settings.allowsPrivate, member: 'url' })
  const text = body === undefined ? undefined : JSON.stringify(body)
  if (text !== undefined && Buffer.byteLength(text) > limits.deliverableBytes) throw new Problem('body-too-large')
  const chosen = method ?? (text === undefined ? 'GET' : 'POST')
  if (chosen === 'GET' && text !== undefined) throw new Problem('invalid-input', 'A GET request has no body.', '/body')
  return { url: href, method: chosen, body: text }
}

const ask = ({ resources }: Deps, user: Address, { request, caller }: { request: PaidRequest; caller: Caller }) => {
  const signal = caller.signal ?? new AbortController().signal
  return resources.turns.take(user, signal, () => resources.send(request, undefined, signal))
}

type Buyer = { id: string; chain: Chain; wallet: Address }

const toFree = ({ url, method }: PaidRequest, { status, body, contentType }: ResourceAnswer, of: Buyer): PurchaseRecord => ({
  ...{ purchase_id: of.id, state: 'free', url, method, price: '0', currency: 'USDC', payer: of.wallet, payee: '' },
  ...{ asset: of.chain.addresses.usdc, network: `eip155:${of.chain.chainId}`, description: '', digest: '', lapses_at: '' },
  ...{ mandate_id: null, status, content_type: contentType, content: body.slice(0, limits.deliverableBytes) },
  ...{ reason: '', transaction: null },
})

/** @throws Problem resource-not-payable */
const readOffer = async (chain: Chain, { status, body, paymentRequired }: ResourceAnswer): Promise<Offer> => {
  if (status !== 402) throw new Problem('resource-not-payable', `It answered with status ${status} and asked for no payment.`)
  if (!chain.authorized) throw new Problem('resource-not-payable', noAuthorizations)
  const till = { chainId: chain.chainId, asset: chain.addresses.usdc, domain: await chain.authorized.domain() }
  const offer = chooseOffer({ header: paymentRequired, body }, till)
  if (typeof offer === 'string') throw new Problem('resource-not-payable', offer)
  return offer
}

const noAuthorizations = 'The USDC of this chain has no signed authorizations (EIP-3009).'

const checkMax = ({ amount }: Offer, { usdcDecimals }: Chain, max: string | number | undefined) => {
  if (max === undefined) return
  const most = parseUsdc(max, usdcDecimals)
  if (most === undefined) throw new Problem('invalid-input', `An amount of USDC with at most ${usdcDecimals} decimals.`, '/max')
  if (amount > most)
    throw new Problem('resource-not-payable', `It costs ${formatUsdc(amount, usdcDecimals)} USDC, and max is ${max}.`, '/max')
}

type Keeping = { id: string; user: Address; chain: Chain; request: PaidRequest; offer: Offer }

const keep = async (deps: Deps, { id, user, chain, request, offer }: Keeping): Promise<Purchase> => {
  const wallet = await deps.wallets.ensure('user', user)
  const { chainId } = chain
  return deps.store.atomically(async tables => {
    if ((await tables.lockPurchases(user)).today >= limits.purchasesADay) throw new Problem('too-many-purchases')
    const digest = toPurchaseDigest({ ...request, ...offer, chainId })
    return tables.addPurchase({ ...request, ...offer, id, user, wallet, chainId, digest })
  })
}

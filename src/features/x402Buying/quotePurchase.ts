import type { Address } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc, parseUsdc, toCost } from '../../domain/money/money.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
import { Problem } from '../../domain/problem.ts'
import { chooseOffer, type Offer, type PaidRequest, schemeIn, type Till, toPurchaseDigest } from '../../domain/x402/purchase.ts'
import type { KnownResource } from '../../operations/deps.ts'
import type { Deps } from '../../operations/operation.ts'
import type { Chain, Purchase, ResourceAnswer } from '../../ports.ts'
import { purchasesOf } from './ports.ts'

type Asked = { url: string; method: PaidRequest['method'] | undefined; body: unknown }

/**
 * The exact request that is paid for.
 * @throws Problem endpoint-not-allowed, body-too-large, invalid-input
 */
export const toRequest = ({ settings }: Pick<Deps, 'settings'>, { url, method, body }: Asked): PaidRequest => {
  const { href } = checkEndpoint(url, { allowsPrivate: settings.allowsPrivate, member: 'url' })
  const text = body === undefined ? undefined : JSON.stringify(body)
  if (text !== undefined && Buffer.byteLength(text) > limits.deliverableBytes) throw new Problem('body-too-large')
  const chosen = method ?? (text === undefined ? 'GET' : 'POST')
  if (chosen === 'GET' && text !== undefined) throw new Problem('invalid-input', 'A GET request has no body.', '/body')
  return { url: href, method: chosen, body: text }
}

type Quoting = {
  id: string
  user: Address
  chain: Chain
  request: PaidRequest
  /** The most that it may cost, in decimal USDC. */
  max: string | number | undefined
  isByButler: boolean
  signal: AbortSignal
}

/**
 * Asks a resource for its price and stores the proposed purchase. Nothing is signed. A resource that asks for no payment has
 * answered already.
 * @throws Problem resource-not-payable, agent-unreachable, endpoint-not-allowed, too-many-purchases, invalid-input, busy
 */
export const quotePurchase = async (
  deps: Pick<Deps, 'resources' | 'store' | 'wallets' | 'supply' | 'chains' | 'clock' | 'settings'>,
  { max, signal, ...of }: Quoting,
): Promise<{ purchase: Purchase } | { free: ResourceAnswer }> => {
  const { user, chain, request } = of
  const answer = await deps.resources.turns.take(user, signal, () => deps.resources.ask(request, signal))
  if (answer.status >= 200 && answer.status < 300) return { free: answer }
  const offer = await readOffer(chain, answer)
  const known = await deps.supply?.know(deps, { ...request, chainId: chain.chainId })
  const outside = checkShown(offer, known ?? [], chain)
  checkMax(offer, chain, max)
  return { purchase: await keep(deps, { ...of, offer, outside }) }
}

const readOffer = async (chain: Chain, { status, body, paymentRequired, challenge }: ResourceAnswer): Promise<Offer> => {
  if (status !== 402) throw new Problem('resource-not-payable', `It answered with status ${status} and asked for no payment.`)
  const till = await tillOf(chain)
  if (!till) throw new Problem('resource-not-payable', noAuthorizations)
  const offer = chooseOffer({ header: paymentRequired, challenge, body }, till)
  if (typeof offer === 'string') throw new Problem('resource-not-payable', offer)
  return offer
}

/** What payments on a chain can be signed for; undefined where none can. */
export const tillOf = async ({ chainId, authorized, permitted, upto, addresses }: Chain): Promise<Till | undefined> => {
  if (!authorized && !permitted && !upto) return undefined
  const domain = await authorized?.domain()
  return { chainId, asset: addresses.usdc, domain, hasPermit2: permitted !== undefined, hasUpto: upto !== undefined }
}

/**
 * A listed resource is paid as it was shown: not to another payee, and not more than the lowest price that is listed for the payee.
 * Returns what people are told of it, empty for a resource that no catalogue lists.
 */
const checkShown = (offer: Offer, known: KnownResource[], { usdcDecimals }: Chain): string => {
  if (known.length === 0) return ''
  const [listed] = known.filter(it => it.payTo === offer.payTo).toSorted((one, other) => (one.most < other.most ? -1 : 1))
  if (listed && offer.amount <= listed.most) return listed.words
  const asked = toCost(formatUsdc(offer.amount, usdcDecimals), schemeIn(offer) === 'upto')
  throw new Problem(
    'resource-not-payable',
    listed
      ? `It asks ${asked} USDC and was shown with ${formatUsdc(listed.most, usdcDecimals)}.`
      : `It asks to pay ${offer.payTo}, and it is listed with the payee ${known[0]?.payTo}.`,
  )
}

const noAuthorizations =
  'The USDC of this chain has no signed authorizations (EIP-3009), and x402 has no proxy for Permit2 there.'

const checkMax = (offer: Offer, { usdcDecimals }: Chain, max: string | number | undefined) => {
  if (max === undefined) return
  const most = parseUsdc(max, usdcDecimals)
  if (most === undefined) throw new Problem('invalid-input', `An amount of USDC with at most ${usdcDecimals} decimals.`, '/max')
  const cost = toCost(formatUsdc(offer.amount, usdcDecimals), schemeIn(offer) === 'upto')
  if (offer.amount > most) throw new Problem('resource-not-payable', `It costs ${cost} USDC, and max is ${max}.`, '/max')
}

type Keeping = Omit<Quoting, 'max' | 'signal'> & { offer: Offer; outside: string }

const keep = async (
  deps: Pick<Deps, 'store' | 'wallets'>,
  { id, user, chain, request, offer, isByButler, outside }: Keeping,
): Promise<Purchase> => {
  const wallet = await deps.wallets.ensure('user', user)
  const { chainId } = chain
  return deps.store.atomically(async tables => {
    if ((await purchasesOf(tables).lockPurchases(user)).today >= limits.purchasesADay) throw new Problem('too-many-purchases')
    const digest = toPurchaseDigest({ ...request, ...offer, chainId })
    return purchasesOf(tables).addPurchase({ ...request, ...offer, id, user, wallet, chainId, digest, isByButler, outside })
  })
}

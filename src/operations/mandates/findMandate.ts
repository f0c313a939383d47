import { type Address, nobody } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { categoriesOf, confirmationReason, type Draw, leftOf } from '../../domain/money/mandate.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import type { Listing } from '../../domain/offerings/offering.ts'
import type { MandateView } from '../../domain/runs/proposal.ts'
import type { UsedMandate } from '../../ports.ts'
import type { Deps } from '../operation.ts'

type Wanted = { listing: Listing; amount: Atomic }

const askedBefore = 'this request needs your own yes'
const concluded = 'a language model read your message, and not everything in this follows from your words alone'

/**
 * The mandate that covers a hire, or the newest one that does not, with the reason. `asks`: why the request needs a yes. This
 * is only an explanation: the write that opens the job decides.
 */
export const findMandate = async (
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  run: { user: Address; isAsked: boolean; isConcluded?: boolean | undefined; asks(): Promise<string | undefined> },
  { listing, amount }: Wanted,
): Promise<MandateView | undefined> => {
  if (run.user === nobody) return undefined
  const categories = store.agent(listing.agentId).then(it => categoriesOf(it?.card ?? {}))
  const refusal = run.isAsked ? askedBefore : run.asks().then(it => it ?? (run.isConcluded ? concluded : undefined))
  const spending = { chainId: listing.chainId, amount, categories, refusal }
  return viewMandate({ store, clock }, run.user, spending)
}

type Spending = Pick<Draw, 'amount' | 'also' | 'payee'> & {
  categories: Draw['categories'] | Promise<Draw['categories']>
  chainId: number
  refusal: string | undefined | Promise<string | undefined>
}

/**
 * The mandate of a user that covers an amount, or the newest one that does not, with the reason.
 * @param of `refusal`: why no mandate covers it, if that is known before
 */
export const viewMandate = async (
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  user: Address,
  { chainId, amount, categories: asked, refusal: refused, also, payee }: Spending,
): Promise<MandateView | undefined> => {
  const [mandates, categories, refusal] = await Promise.all([
    store.mandates({ user, chainId, isLive: true, limit: limits.mandates }),
    asked,
    refused,
  ])
  const now = clock.now()
  const whyAsked = (it: UsedMandate) => confirmationReason(it, { amount, categories, also, payee, used: it.used, now })
  const views = mandates.map(it => toView(it, refusal ?? whyAsked(it)))
  return views.find(it => it.covers) ?? views[0]
}

const toView = (mandate: UsedMandate, why: string | undefined): MandateView => ({
  mandate_id: mandate.id,
  left: formatUsdc(leftOf(mandate, mandate.used), mandate.decimals),
  max_per_period: formatUsdc(mandate.maxPerPeriod, mandate.decimals),
  period: mandate.period,
  covers: why === undefined,
  why: why === undefined ? 'covers this hire, so I need not ask' : `asks because ${why}`,
})

import { z } from 'zod'
import { toCaip2 } from '../../domain/chains/chains.ts'
import { limits } from '../../domain/limits.ts'
import { decodePart } from '../../domain/net/decodePart.ts'
import { isRefusal } from '../../domain/problem.ts'
import { schemes, toPayment } from '../../domain/x402/x402.ts'
import { type Refusal, refusalOf } from '../../domain/x402/x402Refusal.ts'
import { chainOf, type Deps, operation } from '../../operations/operation.ts'
import { waitUntil } from '../../operations/waiting.ts'
import type { Chain } from '../../ports.ts'
import { followPaidCall } from './paidCallRecord.ts'
import { paidCallsOf } from './ports.ts'
import { findSale, type Sale, toCharge } from './sale.ts'

// An x402 facilitator for the resources of this service only.

const kind = z.object({
  x402Version: z.number(),
  scheme: z.enum(schemes),
  network: z.string(),
  extra: z.object({ facilitatorAddress: z.string() }).optional(),
})

export const readSupported = operation({
  name: 'readSupported',
  summary: 'The ways to pay that this service takes (x402 facilitator).',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({
    kinds: z.array(kind),
    extensions: z.array(z.string()),
    signers: z.record(z.string(), z.array(z.string())),
  }),

  async run(_, { chains }) {
    const served = [...chains.values()].filter(it => it.authorized ?? it.permitted ?? it.upto)
    return {
      kinds: served.flatMap(toKinds),
      extensions: ['bazaar'],
      signers: Object.fromEntries(served.map(it => [toCaip2(it.chainId), [it.treasury]])),
    }
  },
})

const toKinds = ({ chainId, authorized, permitted, upto }: Chain): z.infer<typeof kind>[] => {
  const of = { x402Version: 2, network: toCaip2(chainId) }
  return [
    ...((authorized ?? permitted) ? [{ ...of, scheme: 'exact' as const }] : []),
    ...(upto ? [{ ...of, scheme: 'upto' as const, extra: { facilitatorAddress: upto.facilitator } }] : []),
  ]
}

const paid = z.object({
  x402Version: z.number().int(),
  paymentPayload: z.json(),
  paymentRequirements: z.looseObject({ network: z.string(), resource: z.string().max(2_000).optional() }),
})

const verification = z.object({ isValid: z.boolean(), invalidReason: z.string().optional(), payer: z.string().optional() })

export const verifyPayment = operation({
  name: 'verifyPayment',
  summary: 'Whether a payment for a resource of this service could be settled now (x402 facilitator). Nothing is claimed.',
  caller: 'anyone',
  input: paid,
  output: verification,

  async run({ paymentPayload, paymentRequirements }, deps) {
    const payment = toPayment(paymentPayload)
    if (!payment) return { isValid: false, invalidReason: 'invalid_payload' }
    const payer = payment.authorization.from
    const sale = await saleOf(deps, resourceOf(paymentPayload) ?? paymentRequirements.resource)
    if (!sale) return { isValid: false, invalidReason: 'invalid_payment_requirements', payer }
    const charge = await toCharge(deps, sale)
    const refusal: Refusal | undefined =
      refusalOf(payment, charge, deps.clock.now()) ?? (await sale.transfers.refusal(payment.authorization))
    return refusal ? { isValid: false, invalidReason: refusal, payer } : { isValid: true, payer }
  },
})

const resource = z.looseObject({ resource: z.looseObject({ url: z.string().max(2_000) }) })
const resourceOf = (payload: unknown) => resource.safeParse(payload).data?.resource.url

/** Returns the sale at a URL of this service; undefined for other URLs, and where nothing is sold. */
const saleOf = async (deps: Deps, url = ''): Promise<Sale | undefined> => {
  const { pathname } = URL.parse(url, deps.settings.publicUrl) ?? { pathname: '' }
  const [, ...parts] = /^\/x402\/agents\/([^/]+)(?:\/offerings\/([^/]+))?$/.exec(pathname) ?? []
  const [agent, offering] = parts.map(it => it && decodePart(it))
  if (!agent || (parts[1] && !offering)) return undefined
  return findSale(deps, { agent, offering_id: offering }).catch(noneIfRefused)
}

/** A refusal means that nothing is sold. A failure of this service is not the fault of a payer, so it is thrown on. */
const noneIfRefused = (error: unknown): undefined => {
  if (!isRefusal(error)) throw error
}

const settlement = z.object({
  success: z.boolean(),
  errorReason: z.string().optional(),
  transaction: z.string(),
  network: z.string(),
  payer: z.string().optional(),
})

export const settlePayment = operation({
  name: 'settlePayment',
  summary: 'Settle a payment that a resource of this service has accepted (x402 facilitator). Failed work is not settled.',
  caller: 'anyone',
  input: paid,
  output: settlement,

  async run({ paymentPayload, paymentRequirements: { network } }, deps, { signal }) {
    const payment = toPayment(paymentPayload)
    if (!payment) return { success: false, errorReason: 'invalid_payload', transaction: '', network }
    const { from: payer, nonce } = payment.authorization
    const chain = chainOf(deps, Number(network.replace(/^eip155:/, '')))
    const call = await paidCallsOf(deps.store).paidCallOfNonce({
      chainId: chain.chainId,
      asset: chain.addresses.usdc,
      payer,
      nonce,
    })
    if (!call) return { success: false, errorReason: notTaken, transaction: '', network, payer }
    const at = { channel: `run:${call.runId}`, deadline: deps.clock.now() + limits.relayWaitMs, signal }
    const ended = await waitUntil(deps, at, async () => {
      const followed = await followPaidCall(deps, call.id)
      return followed?.record.state === 'settled' || followed?.record.state === 'failed' ? followed.record : undefined
    })
    if (ended?.state === 'settled') return { success: true, transaction: ended.transaction ?? '', network, payer }
    return { success: false, errorReason: ended ? ended.reason : 'settlement_pending', transaction: '', network, payer }
  },
})

const notTaken = 'The payment was not sent to its resource. Send it there with the request; it is settled after the work.'

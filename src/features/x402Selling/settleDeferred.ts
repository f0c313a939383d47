import { ZodError } from 'zod'
import { minuteMs } from '../../domain/durations.ts'
import type { Hex } from '../../domain/hex.ts'
import { parseJson } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { facilitatorMs, hasTimeForFacilitator, settled, transferMs, verified } from '../../domain/x402/facilitation.ts'
import type { Deps } from '../../operations/operation.ts'
import type { Chain } from '../../ports.ts'
import type { Worker } from '../../workers/loop.ts'
import { paymentOf, recordPaid, toSigned, transfersOf } from './callPayments.ts'
import { type DeferredCall, paidCallsOf } from './ports.ts'
import { addOwn } from './settleCall.ts'

type Reach = Pick<Deps, 'store' | 'resources' | 'clock' | 'settings'>

const atOnce = 32
/** How often a process looks for settlements in ms: where there is a facilitator, and where there was one before a restart. */
const [followingMs, idleMs] = [500, 15_000]
/** A facilitator that failed is left alone for this long, so that its time limit does not delay each call. */
const quietMs = minuteMs

/**
 * A facilitator that this process asks. `promised`: the calls that it said to have settled, with the time until which their
 * transfers are awaited (epoch ms). `quietUntil`: it is not asked before.
 */
export type Facilitator = { promised: Map<string, number>; quietUntil: number }

export const createFacilitator = (): Facilitator => ({ promised: new Map(), quietUntil: 0 })

/**
 * Settles calls by the facilitator of the chain. It costs no money to believe nothing of what a facilitator says: the authorization
 * can be used once, so this service sends the transfer itself where the chain does not show it.
 */
export const settleDeferred = (deps: Reach & Pick<Deps, 'wakeups'>, chain: Chain): Worker => {
  const facilitator = createFacilitator()
  const busy = new Map<string, Promise<void>>()
  const ending = new AbortController()
  let failure: unknown
  const start = (call: DeferredCall) => {
    const work = settleOne({ deps, chain, facilitator }, call, ending.signal)
      .catch((error: unknown) => {
        failure = error
      })
      .finally(() => busy.delete(call.id))
    busy.set(call.id, work)
  }
  return {
    name: `settleDeferred ${chain.chainId}`,
    channel: 'facilitators',
    idleMs: deps.settings.facilitators?.has(chain.chainId) ? followingMs : idleMs,
    async runOnce() {
      const failed = failure
      failure = undefined
      if (failed !== undefined) throw failed
      const due = await paidCallsOf(deps.store).deferredSettlements(chain.chainId, atOnce)
      for (const it of due) if (busy.size < atOnce && !busy.has(it.id)) start(it)
      return false
    },
    settle: async () => {
      ending.abort()
      await Promise.all(busy.values())
    },
  }
}

type At = { deps: Reach; chain: Chain; facilitator: Facilitator }

/** Takes one settlement a step further: asks the facilitator once, looks at the chain, or goes on without the facilitator. */
export const settleOne = async (at: At, call: DeferredCall, signal: AbortSignal): Promise<void> => {
  const { deps, chain, facilitator } = at
  const { promised } = facilitator
  const isAsked = promised.has(call.id)
  if (!isAsked && (await ask(at, call, signal))) promised.set(call.id, deps.clock.now() + transferMs)
  // The next process asks anew.
  if (signal.aborted) return
  const hash = await finalPayment(chain, call)
  if (!hash && deps.clock.now() < (promised.get(call.id) ?? 0)) return
  // It said that it had settled, and the chain shows nothing.
  if (!hash && promised.has(call.id)) facilitator.quietUntil = deps.clock.now() + quietMs
  await deps.store.atomically(async tables => {
    if (!(await paidCallsOf(tables).resumeSettlement(call.id))) return
    const intent = await tables.intent(await addOwn(tables, call))
    if (!hash || !intent) return
    await tables.giveUp(intent.seq, 'The facilitator sent the transfer.')
    await recordPaid(tables, { chain, call, hash })
  })
  promised.delete(call.id)
}

/** The transaction that made the transfer of a call, once it has the confirmations of its chain. */
const finalPayment = async (chain: Chain, call: DeferredCall): Promise<Hex | undefined> => {
  if ((await transfersOf(chain, call)?.stateOf(toSigned(call))) !== 'used') return undefined
  const paidBy = await paymentOf(chain, call, { since: call.createdAt, isUsed: true })
  return paidBy === 'unclear' ? undefined : paidBy
}

const ask = async ({ deps, chain, facilitator }: At, call: DeferredCall, signal: AbortSignal): Promise<boolean> => {
  const { resources, clock, settings } = deps
  const base = settings.facilitators?.get(chain.chainId)?.replace(/\/$/, '')
  const now = clock.now()
  if (!base || now < facilitator.quietUntil || !hasTimeForFacilitator(call.validUntil, now)) return false
  const post = async (path: string): Promise<unknown> => {
    const request = { url: `${base}/${path}`, method: 'POST' as const, body: JSON.stringify(call.facilitation) }
    const { body } = await resources.ask(request, AbortSignal.any([signal, AbortSignal.timeout(facilitatorMs)]))
    return parseJson(body)
  }
  try {
    return verified.parse(await post('verify')).isValid && settled.parse(await post('settle')).success
  } catch (error) {
    if (!(error instanceof Problem || error instanceof ZodError)) throw error
    facilitator.quietUntil = clock.now() + quietMs
    return false
  }
}

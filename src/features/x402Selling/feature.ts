import { hasFiles } from '../../domain/files/fileMembers.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { isListed, type Offering } from '../../domain/offerings/offering.ts'
import { toTakenText } from '../../domain/runTexts/payments.ts'
import { isSoldByCall } from '../../domain/x402/x402Times.ts'
import { get, post, say } from '../../http/route.ts'
import type { Selling } from '../../operations/deps.ts'
import { chainOf } from '../../operations/operation.ts'
import type { Feature } from '../feature.ts'
import { advancePaidCall } from './advancePaidCall.ts'
import { transferByOthers } from './callPayments.ts'
import { readSupported, settlePayment, verifyPayment } from './facilitator.ts'
import { judgePaidCall } from './judgePaidCall.ts'
import { listSold } from './listSold.ts'
import { paidCallTable } from './paidCallTable.ts'
import { buy, payForCall, payForOffering, priceOfCall, readPaidCall, toPaymentResponse } from './payForCall.ts'
import { paidCallsOf } from './ports.ts'
import { transfersFor } from './sale.ts'
import { addSettlement, followCalls } from './settleCall.ts'
import { settleDeferred } from './settleDeferred.ts'

/** What the core knows of paid calls. */
const selling: Selling = {
  async addressesOf({ id, key, chainId }, { store, chains, settings }) {
    const chain = chains.get(chainId)
    const isPayable = (it: Pick<Offering, 'usage'>) => chain !== undefined && transfersFor(chain, it) !== undefined
    const base = `${settings.publicUrl}/x402/agents/${id}`
    const isCallSold = isPayable({}) && Number(await store.callPrice(key)) > 0
    const sold = (await store.offerings(id))
      .filter(it => isListed(it) && Number(it.price) > 0 && isSoldByCall(it.slaMinutes))
      .filter(it => !hasFiles(it) && isPayable(it))
    const offerings = sold.map(it => `${base}/offerings/${encodeURIComponent(it.id)}`)
    return [...(isCallSold ? [base] : []), ...offerings]
  },

  refusalOf: (agent, deps) => priceOfCall(deps, agent),
  buy,
  headersOf: toPaymentResponse,
  settle: addSettlement,
  judge: judgePaidCall,

  async describeTaken({ id }, deps) {
    const call = await paidCallsOf(deps.store).paidCallOfJob(id)
    const taken = call && (await transferByOthers(deps, call))
    if (!taken) return undefined
    const amount = formatUsdc(call.amount, chainOf(deps, call.chainId).usdcDecimals)
    return toTakenText({ amount, payee: call.payTo, ...taken })
  },
}

/** Calls and offerings of agents, sold for a payment with the request (x402), and a facilitator for these payments. */
export const x402Selling: Feature = {
  name: 'x402Selling',
  routes: [
    { ...say('/x402/agents/{agent}', payForCall), takesBody: true },
    { ...say('/x402/agents/{agent}/offerings/{offering_id}', payForOffering), takesBody: true },
    get('/x402/payments/{payment_id}', readPaidCall),
    get('/.well-known/x402', listSold),
    get('/x402/discovery/resources', listSold),
    get('/x402/supported', readSupported),
    post('/x402/verify', verifyPayment),
    post('/x402/settle', settlePayment),
  ],
  tables: [paidCallTable],
  selling,
  follower: followCalls,
  advance: advancePaidCall,
  workers: { ofChain: ({ deps, chain }) => [settleDeferred(deps, chain)] },
}

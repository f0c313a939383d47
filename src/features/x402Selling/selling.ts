import { hasFiles } from '../../domain/files/fileMembers.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { isListed, type Offering } from '../../domain/offerings/offering.ts'
import { toTakenText } from '../../domain/runTexts/payments.ts'
import { isSoldByCall } from '../../domain/x402/x402Times.ts'
import type { Selling } from '../../operations/deps.ts'
import { chainOf } from '../../operations/operation.ts'
import { judgePaidCall } from './judgePaidCall.ts'
import { buy, priceOfCall, toPaymentResponse } from './payForCall.ts'
import { transferByOthers } from './paymentOf.ts'
import { paidCallsOf } from './ports.ts'
import { transfersFor } from './sale.ts'
import { addSettlement } from './settleCall.ts'

/** What the core knows of paid calls. */
export const selling: Selling = {
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

import { get, post } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { agreeForRun, describePurchase, quoteForRun } from './butlerPurchases.ts'
import { confirmPurchase, listPurchases, readAnswer, readPurchase } from './confirmPurchase.ts'
import { advancePurchase } from './followPurchase.ts'
import { payPurchases, sweepAnswers } from './payPurchases.ts'
import { purchasesOf } from './ports.ts'
import { proposePurchase } from './proposePurchase.ts'
import { followPurchases } from './purchasePayments.ts'
import { purchaseTable } from './purchaseTable.ts'

/** Resources of other services, bought for a payment with the request (x402) by the user or by the butler. */
export const x402Buying: Feature = {
  name: 'x402Buying',
  routes: [
    post('/v1/purchases', proposePurchase),
    get('/v1/purchases', listPurchases),
    get('/v1/purchases/{purchase_id}', readPurchase),
    get('/v1/purchases/{purchase_id}/answer', readAnswer),
    post('/v1/purchases/{purchase_id}/confirm', confirmPurchase),
  ],
  tables: [purchaseTable],
  buying: {
    quote: quoteForRun,
    agree: agreeForRun,
    decline: ({ store }, runId) => purchasesOf(store).declinePurchase(runId),
    describe: describePurchase,
  },
  follower: followPurchases,
  advance: advancePurchase,
  workers: { shared: ({ deps }) => [payPurchases(deps)], single: ({ deps }) => [sweepAnswers(deps)] },
}

import { get, post } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { advancePurchase } from './advancePurchase.ts'
import { agreeForRun, describePurchase, quoteForRun } from './butlerPurchases.ts'
import { confirmPurchase, listPurchases, readPurchase } from './confirmPurchase.ts'
import { followPurchases } from './followPurchases.ts'
import { payPurchases } from './payPurchases.ts'
import { purchasesOf } from './ports.ts'
import { proposePurchase } from './proposePurchase.ts'
import { purchaseTable } from './purchaseTable.ts'
import { readAnswer } from './readAnswer.ts'
import { sweepAnswers } from './sweepAnswers.ts'

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
  workers: {
    shared: ({ deps }) => [payPurchases(deps)],
    single: ({ deps }) => [sweepAnswers(deps)],
  },
}

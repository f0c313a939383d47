import { get, post, say } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { advancePaidCall } from './advancePaidCall.ts'
import { readSupported, settlePayment, verifyPayment } from './facilitator.ts'
import { listSold } from './listSold.ts'
import { paidCallTable } from './paidCallTable.ts'
import { payForCall, payForOffering, readPaidCall } from './payForCall.ts'
import { selling } from './selling.ts'
import { followCalls } from './settleCall.ts'
import { settleDeferred } from './settleDeferred.ts'

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

import { get } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { activityTable } from './activityTable.ts'
import { activityTool, listActivity } from './listActivity.ts'
import { watchTransfers } from './watchTransfers.ts'

/** The history of a wallet's money: every transfer of USDC from and to it, and what it was for. */
export const activity: Feature = {
  name: 'activity',
  routes: [get('/v1/activity', listActivity)],
  tools: [activityTool],
  tables: [activityTable],
  workers: {
    ofChain: ({ deps: { store }, chain, paced }) =>
      chain.transfers ? [paced(watchTransfers({ store, chain, read: chain.transfers }))] : [],
  },
}

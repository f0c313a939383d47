import { get, post } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { launchToken } from './launchToken.ts'
import { listHoldings, takeTestCoin } from './listHoldings.ts'
import { payTokenFees } from './payFees.ts'
import { tokenTables } from './ports.ts'
import { quoteTrade } from './quoteTrade.ts'
import { listTokens, readAgentToken, readCandles, readToken } from './readTokens.ts'
import { tokenOf } from './tokenRecord.ts'
import { tokenTable, tradeOrderTable } from './tokenTable.ts'
import { listTrades, tradeToken } from './tradeToken.ts'
import { tradeTool } from './tradeTool.ts'
import { watchTokens } from './watchTokens.ts'

/** Tokens of agents on a bonding curve: launch, quotes, trades and fees. */
export const tokens: Feature = {
  name: 'tokens',
  routes: [
    { ...post('/agents/{agent}/token', launchToken), status: 201 },
    get('/agents/{agent}/token', readAgentToken),
    post('/agents/{agent}/token/fees', payTokenFees),
    get('/tokens', listTokens),
    get('/tokens/{token}', readToken),
    get('/tokens/{token}/candles', readCandles),
    post('/tokens/{token}/quotes', quoteTrade),
    post('/tokens/{token}/trades', tradeToken),
    get('/v1/trades', listTrades),
    get('/v1/holdings', listHoldings),
    post('/v1/wallets/me/test-coin', takeTestCoin),
  ],
  asking: [tradeTool],
  tables: [tokenTable, tradeOrderTable],
  tokens: {
    find: (text, chainId, deps) => tokenOf(deps, text, chainId),
    feeAsset: async (agentId, { store }) => (await tokenTables(store).tokenOfAgent(agentId))?.reserveKind,
  },
  workers: {
    ofChain: ({ deps: { store }, chain, paced }) =>
      chain.launchpad ? [paced(watchTokens({ store, chain, launchpad: chain.launchpad }))] : [],
  },
}

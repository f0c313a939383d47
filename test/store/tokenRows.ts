import type { LaunchedToken } from '../../src/ports.ts'
import { account, agentId, chainId, user } from './rows.ts'

const hash = `0x${'a'.repeat(64)}` as const

/** A token of the agent of `addAgent`, launched in block 1. */
export const newToken = (over: Partial<LaunchedToken> = {}): LaunchedToken => ({
  ...{ chainId, token: account(4), agentId, creator: user, reserveKind: 'usdc', name: 'Coiner', symbol: 'COIN' },
  ...{ virtualReserve: 5n, feeBps: 100, txHash: hash, blockNumber: 1n, blockHash: hash, at: 1 },
  ...over,
})

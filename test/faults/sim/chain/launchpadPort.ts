import { SigningRefused } from '../../../../src/chain/signing/signerPolicy.ts'
import { checkAgreed } from '../../../../src/chain/signing/tradeGate.ts'
import { secondMs } from '../../../../src/domain/durations.ts'
import type { Address } from '../../../../src/domain/hex.ts'
import { type TradeTerms, toTradeDigest } from '../../../../src/domain/tokens/agentToken.ts'
import type { Call, Launchpad, TokenEvent, TokenReads } from '../../../../src/ports.ts'
import type { ChainModel } from './chain.ts'
import type { ContractCall } from './contracts.ts'
import { holding, toCurve } from './launchpad.ts'
import { launchpadTerms, places } from './places.ts'
import { toData, toHash } from './transactions.ts'

type OrderStore = Pick<TokenReads, 'tradeOrder'>

const call = (gas: bigint, data: ContractCall): Call => ({ to: places.launchpad, data: toData(data), value: 0n, gas })

/** The nonce of a purchase's authorization. */
export const purchaseNonceOf = (id: string, digest: string) => toHash(`${id}:${digest}`)
const purchaseNonce = (terms: TradeTerms) => purchaseNonceOf(terms.id, toTradeDigest(terms))

const toTradeCalls = (terms: TradeTerms, isSigned: boolean): Call[] => {
  const { side, asset, token, amountIn, leastOut, deadline, wallet } = terms
  const of = { token, amountIn: String(amountIn), leastOut: String(leastOut), deadline: Math.floor(deadline / secondMs) }
  if (side === 'sell') return [call(100_000n, { name: asset === 'coin' ? 'sellForCoin' : 'sell', ...of })]
  if (asset === 'coin') return [{ ...call(120_000n, { name: 'buyWithCoin', ...of }), value: amountIn }]
  if (asset === 'usdc' && isSigned) return [call(120_000n, { name: 'buy', ...of, buyer: wallet, nonce: purchaseNonce(terms) })]
  const paid = asset === 'usdc' ? places.usdc : places.wrappedCoin
  const approve = call(50_000n, { name: 'approve', asset: paid, spender: places.launchpad, amount: String(amountIn) })
  return [{ ...approve, to: paid }, call(120_000n, { name: 'buyApproved', ...of })]
}

type SignedTrade = { id: string; wallet: Address; data: string; isSigned: boolean }

/** A wallet signs exactly the trade that its user agreed to. */
export const checkTrade = async (store: OrderStore, of: SignedTrade): Promise<void> => {
  const order = checkAgreed(await store.tradeOrder(of.id), of)
  if (!toTradeCalls(order, of.isSigned).some(it => it.data === of.data))
    throw new SigningRefused(`the call is not that of trade ${of.id}`)
}

/** The Launchpad port of the modelled chain. @param isSigned whether purchases with USDC have a signed authorization */
export const createLaunchpad = (model: ChainModel, store: OrderStore, isSigned: boolean): Launchpad => {
  const { state, blocks, weather } = model
  const { feeBps, creatorShareBps, virtualReserves } = launchpadTerms
  return {
    address: places.launchpad,
    wrappedCoin: places.wrappedCoin,
    facts: async () => ({
      ...{
        feeBps,
        creatorShareBps: Number(creatorShareBps),
        treasury: places.treasury,
        virtualReserves,
      },
    }),
    async curve(token) {
      const curve = state.curves.get(token)
      return curve && { ...toCurve(curve), agentNumber: curve.agentNumber, fees: curve.fees, reserveKind: curve.reserveKind }
    },
    async events(from, to) {
      const seen = blocks.slice(0, Math.max(1, blocks.length - weather.lagBlocks))
      return seen.slice(Number(from), Number(to) + 1).flatMap((block): TokenEvent[] => block.txs.flatMap(it => it.tokenEvents))
    },
    balance: async (token, of) => state.tokens.get(holding(token, of)) ?? 0n,
    launch: (agentNumber, { name, symbol, reserveKind }) =>
      call(330_000n, { name: 'launch', agentNumber: String(agentNumber), tokenName: name, symbol, reserveKind }),
    payCreatorFees: token => call(90_000n, { name: 'payFees', token }),
    purchaseNonce,
    async trade(terms) {
      checkAgreed(await store.tradeOrder(terms.id), terms)
      return toTradeCalls(terms, isSigned)
    },
  }
}

import { encodeFunctionData, parseSignature } from 'viem'
import type { Address, Hex } from '../../domain/hex.ts'
import type { TradeTerms } from '../../domain/tokens/agentToken.ts'
import type { Call, Launchpad } from '../../ports.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { tokenLaunchpadAbi as abi } from '../contracts/artifacts/TokenLaunchpad.ts'
import type { GasCeilings } from '../rpc/gas.ts'
import type { ClientGate } from './clientGate.ts'
import type { HirePath } from './policy.ts'
import { buyNonce, plainTrade, toBuyTerms } from './tradeCalls.ts'
import { receiveWithAuthorization } from './transferWords.ts'
import type { Custody } from './wallets.ts'

export type TokenTradeDeps = {
  chainId: number
  addresses: { launchpad: Address; usdc: Address; registry: Address; wrappedCoin?: Address | undefined }
  gas: GasCeilings
  wallets: Pick<Custody, 'holder'>
  gate: Pick<ClientGate, 'grantTrade'>
  usdcDomain: () => Promise<{ name: string; version: string }>
  /** How USDC is paid: by a signed authorization in the same transaction, or by an approval before it. */
  hirePath: HirePath
}

export const createTokenTrades = (
  deps: TokenTradeDeps,
): Pick<Launchpad, 'launch' | 'trade' | 'payCreatorFees' | 'purchaseNonce'> => {
  const { addresses, gas } = deps
  const { launchpad, usdc, wrappedCoin } = addresses
  const call = (ceiling: bigint, data: Hex, value = 0n): Call => ({ to: launchpad, data, value, gas: ceiling })
  const reserveOf = (kind: 'usdc' | 'wrapped') => (kind === 'usdc' ? usdc : (wrappedCoin ?? usdc))

  return {
    launch: (agentNumber, { reserveKind, name, symbol }) =>
      call(
        gas.tokenLaunch,
        encodeFunctionData({ abi, functionName: 'launch', args: [agentNumber, reserveOf(reserveKind), name, symbol] }),
      ),
    payCreatorFees: token => call(gas.tokenFees, encodeFunctionData({ abi, functionName: 'payCreatorFees', args: [token] })),

    purchaseNonce: terms => buyNonce(toBuyTerms(terms), deps.chainId, launchpad),

    async trade(terms) {
      const { side, asset, amountIn } = terms
      if (side === 'sell') return [call(gas.tokenSell, plainTrade(terms))]
      if (asset === 'coin') return [call(gas.tokenBuy, plainTrade(terms), amountIn)]
      if (asset === 'usdc' && deps.hirePath === 'authorization') return [call(gas.tokenBuy, await authorizedBuy(deps, terms))]
      const approve = encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [launchpad, amountIn] })
      return [{ to: reserveOf(asset), data: approve, value: 0n, gas: gas.approve }, call(gas.tokenBuy, plainTrade(terms))]
    },
  }
}

const authorizedBuy = async (deps: TokenTradeDeps, terms: TradeTerms): Promise<Hex> => {
  const { chainId, addresses } = deps
  const bought = toBuyTerms(terms)
  const { account } = await deps.wallets.holder(terms.wallet, await deps.gate.grantTrade(terms))
  const signature = await account.signTypedData({
    domain: { ...(await deps.usdcDomain()), chainId, verifyingContract: addresses.usdc },
    types: receiveWithAuthorization,
    primaryType: 'ReceiveWithAuthorization',
    message: {
      from: terms.wallet,
      to: addresses.launchpad,
      value: terms.amountIn,
      validAfter: 0n,
      validBefore: bought.deadline,
      nonce: buyNonce(bought, chainId, addresses.launchpad),
    },
  })
  const { r, s, yParity } = parseSignature(signature)
  return encodeFunctionData({ abi, functionName: 'buyWithAuthorization', args: [bought, 27 + yParity, r, s] })
}

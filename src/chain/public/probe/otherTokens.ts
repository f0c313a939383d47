import { BaseError } from 'viem'
import type { Address } from '../../../domain/hex.ts'
import { assetOfSymbol } from '../../../domain/tokens/agentToken.ts'
import type { OtherToken } from '../../../ports.ts'
import { testUsdcAbi as abi } from '../../contracts/artifacts/TestUsdc.ts'
import { answeredOrNone, type Node } from '../../rpc/node.ts'
import type { ChainSettings } from '../chainConfigs.ts'

const plainSymbol = /^[A-Za-z0-9.]{1,12}$/
const mostDecimals = 36

/**
 * Reads symbol and decimals of the listed tokens besides USDC. Those that do not answer as a token are left out, and one with the
 * symbol of USDC or of a coin is named by its address.
 * @param counted contracts whose tokens count here
 */
export const readOtherTokens = async (
  { chainId, others, wrappedCoin }: ChainSettings,
  { node, counted }: { node: Node; counted: readonly (Address | undefined)[] },
): Promise<OtherToken[]> => {
  const read = async (address: Address): Promise<OtherToken[]> => {
    const [symbol, decimals] = await Promise.all([
      answeredOrNone(node.readContract({ address, abi, functionName: 'symbol' }), BaseError),
      answeredOrNone(node.readContract({ address, abi, functionName: 'decimals' }), BaseError),
    ])
    if (decimals === undefined || decimals > mostDecimals) return []
    const isNamed = symbol !== undefined && plainSymbol.test(symbol)
    const isOwn = isNamed && (address === wrappedCoin || assetOfSymbol(symbol, chainId) === undefined)
    return [{ address, symbol: isOwn ? symbol : address, decimals }]
  }
  return (await Promise.all(others.filter(it => !counted.includes(it)).map(read))).flat()
}

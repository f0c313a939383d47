import { encodeAbiParameters, encodeFunctionData, keccak256, stringToHex } from 'viem'
import { getAbiItem } from 'viem/utils'
import type { Address, Hex } from '../../domain/hex.ts'
import { type TradeTerms, toTradeDigest } from '../../domain/tokens/agentToken.ts'
import { tokenLaunchpadAbi as abi } from '../contracts/artifacts/TokenLaunchpad.ts'

const secondsOf = (deadline: number) => BigInt(Math.floor(deadline / 1_000))

/** The call data of a trade that needs no signature besides the sender's. */
export const plainTrade = ({ side, asset, token, amountIn, leastOut, deadline }: TradeTerms): Hex => {
  const until = secondsOf(deadline)
  if (side === 'buy' && asset === 'coin')
    return encodeFunctionData({ abi, functionName: 'buyWithCoin', args: [token, leastOut, until] })
  const functionName = side === 'buy' ? 'buy' : asset === 'coin' ? 'sellForCoin' : 'sell'
  return encodeFunctionData({ abi, functionName, args: [token, amountIn, leastOut, until] })
}

/** The terms of a purchase as the contract gets them. The salt binds them to the quote. */
export const toBuyTerms = (terms: TradeTerms) => ({
  buyer: terms.wallet,
  token: terms.token,
  amountIn: terms.amountIn,
  minTokens: terms.leastOut,
  deadline: secondsOf(terms.deadline),
  salt: keccak256(stringToHex(`${terms.id}:${toTradeDigest(terms)}`)),
})

const buyTerms = getAbiItem({ abi, name: 'buyNonce' }).inputs

// The same value as the launchpad's buyNonce: a hash of the terms, this chain and this contract.
export const buyNonce = (terms: ReturnType<typeof toBuyTerms>, chainId: number, launchpad: Address) =>
  keccak256(encodeAbiParameters([...buyTerms, { type: 'uint256' }, { type: 'address' }], [terms, BigInt(chainId), launchpad]))

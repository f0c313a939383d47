import { encodeFunctionData, isAddressEqual, toFunctionSelector } from 'viem'
import { getAbiItem } from 'viem/utils'
import type { Address } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import type { Call, Chain, HeldAsset, Withdrawal, WithdrawalAddressTables } from '../../ports.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import type { GasCeilings } from '../rpc/gas.ts'
import { SigningRefused } from './signerPolicy.ts'

/** ERC-20 `transfer`. */
export const transferSelector = toFunctionSelector(getAbiItem({ abi: testUsdcAbi, name: 'transfer' }))

type Contracts = Pick<Chain['addresses'], 'usdc' | 'wrappedCoin'>
type Transfer = { asset: HeldAsset; to: Address; amount: Atomic }

const contractOf = (asset: Exclude<HeldAsset, 'coin'>, { usdc, wrappedCoin }: Contracts): Address => {
  if (asset === 'usdc') return usdc
  if (asset !== 'wrapped') return asset
  if (!wrappedCoin) throw new SigningRefused('the chain has no wrapped coin')
  return wrappedCoin
}

const encodeTransfer = ({ asset, to, amount }: Transfer, addresses: Contracts): Omit<Call, 'gas'> =>
  asset === 'coin'
    ? { to, data: '0x', value: amount }
    : {
        to: contractOf(asset, addresses),
        data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args: [to, amount] }),
        value: 0n,
      }

/** Encodes a transfer from a custodial wallet to where its owner withdraws to: of the coin, or of an ERC-20 token. */
export const createWithdrawing = (deps: { addresses: Contracts; gas: GasCeilings }): Required<Pick<Chain, 'withdraw'>> => ({
  withdraw: (asset, to, amount): Call => ({
    ...encodeTransfer({ asset, to, amount }, deps.addresses),
    gas: deps.gas.withdraw,
  }),
})

export const isTransfer = ({ data, value }: Call): boolean =>
  data === '0x' ? value > 0n : data.toLowerCase().startsWith(transferSelector)

export const isToken = (asset: HeldAsset): asset is Address => asset.startsWith('0x')

type Sent = {
  call: Call
  sender: Address
  owner: string | undefined
  addresses: Contracts
  /** Whether the owner had an outside address, with its delay over, at a time (epoch ms). */
  wasUsable: WithdrawalAddressTables['wasUsable']
}

/**
 * A custodial wallet sends what it holds only to its owner, or to an outside address that the owner had added in time, as
 * requested by that owner.
 * @throws SigningRefused
 */
export const checkWithdrawal = async (asked: Withdrawal | undefined, sent: Sent): Promise<void> => {
  const { call, sender, owner, addresses, wasUsable } = sent
  if (!asked || !isAddressEqual(asked.wallet, sender)) throw new SigningRefused(`no withdrawal from ${sender} was requested`)
  if (asked.user !== owner) throw new SigningRefused('a withdrawal must be requested by the owner of its wallet')
  const outside = { user: asked.user, chainId: asked.chainId, address: asked.to }
  if (asked.to !== asked.user && !(await wasUsable(outside, asked.createdAt)))
    throw new SigningRefused(`${asked.to} was no withdrawal address of ${asked.user}`)
  const { to, data, value } = encodeTransfer(asked, addresses)
  const isSame = call.to !== undefined && to !== undefined && isAddressEqual(call.to, to)
  if (!isSame || call.data.toLowerCase() !== data.toLowerCase() || call.value !== value)
    throw new SigningRefused(`the call is not that of withdrawal ${asked.id}`)
}

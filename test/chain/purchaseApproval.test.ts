import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { testUsdcAbi } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { checkPermit2Approval } from '../../src/chain/signing/purchaseApproval.ts'
import type { Address } from '../../src/domain/hex.ts'
import { permit2Address } from '../../src/domain/x402/x402.ts'
import { account } from '../store/rows.ts'

const usdc = account(8)
const requirement = { scheme: 'exact', extra: { assetTransferMethod: 'permit2' } }
const purchase = { id: 'it', amount: 5n, requirement }
/** Its own one, and one that was paid meanwhile. */
const permitted = [
  { state: 'paying' as const, amount: 5n },
  { state: 'paid' as const, amount: 3n },
]

const approving = (amount: bigint, spender: Address = permit2Address) => ({
  to: usdc,
  data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [spender, amount] }),
  value: 0n,
  gas: 50_000n,
})
const check = (call: ReturnType<typeof approving>, of: typeof purchase = purchase) =>
  checkPermit2Approval(of, { call, addresses: { usdc }, permitted })

test('an approval for a purchase by Permit2 is at least for it, and at most for all whose payment had not expired', () => {
  for (const amount of [5n, 8n]) expect(() => check(approving(amount))).not.toThrow()
  for (const amount of [0n, 4n, 9n, 2n ** 256n - 1n]) expect(() => check(approving(amount))).toThrow('not the approval')
})

test.each([
  ['for another spender', approving(5n, account(9))],
  ['of another token', { ...approving(5n), to: account(9) }],
  ['with coin', { ...approving(5n), value: 1n }],
  ['with more bytes', { ...approving(5n), data: `${approving(5n).data}00` as const }],
])('an approval %s is not signed', (_name, call) => {
  expect(() => check(call)).toThrow('not the approval')
})

test('a purchase that is paid by the token needs no approval', () => {
  expect(() =>
    check(approving(5n), { ...purchase, requirement: { ...requirement, extra: { assetTransferMethod: 'eip3009' } } }),
  ).toThrow('not the approval')
})

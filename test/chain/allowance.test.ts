import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { testUsdcAbi } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { gasCeilings } from '../../src/chain/rpc/gas.ts'
import { createAllowanceHire } from '../../src/chain/signing/allowance.ts'
import { toPermissions } from '../../src/chain/signing/permissions.ts'
import { createSignerPolicy, SigningRefused } from '../../src/chain/signing/signerPolicy.ts'

const addresses = {
  escrow: '0x00000000000000000000000000000000000000e5',
  usdc: '0x00000000000000000000000000000000000000dc',
  registry: '0x000000000000000000000000000000000000008a',
  reputation: '0x000000000000000000000000000000000000008b',
} as const
const evaluator = '0x00000000000000000000000000000000000000ee'
const thief = '0x00000000000000000000000000000000000000ff'

const { approve, hire } = createAllowanceHire({ addresses, evaluator, gas: gasCeilings })
const terms = { jobId: 'job_1', client: thief, provider: evaluator, budget: 5n, expiresAt: 1_000 } as const

test('a wallet approves only the escrow, and only where hires need an allowance', async () => {
  const byAllowance = createSignerPolicy(toPermissions({ addresses, evaluator, faucet: false, hirePath: 'allowance' }))
  expect(() => byAllowance('user', approve(5n))).not.toThrow()
  const hiring = await hire(terms)
  expect(() => byAllowance('user', hiring)).not.toThrow()

  const stolen = encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [thief, 5n] })
  expect(() => byAllowance('user', { ...approve(5n), data: stolen })).toThrow(SigningRefused)
  expect(() => byAllowance('agent', approve(5n))).toThrow(SigningRefused)
  expect(() => createSignerPolicy(toPermissions({ addresses, evaluator, faucet: false }))('user', approve(5n))).toThrow(
    SigningRefused,
  )
})

test('an agent registers itself only where the registry does not register on behalf of others', () => {
  const ours = toPermissions({ addresses, evaluator, faucet: false })
  const canonical = toPermissions({ addresses, evaluator, faucet: false, registrar: 'agent' })
  const registering = (permissions: typeof ours) =>
    permissions.filter(it => it.contract === addresses.registry).map(it => it.role)
  expect([registering(ours), registering(canonical)]).toEqual([['treasury'], ['agent']])
})

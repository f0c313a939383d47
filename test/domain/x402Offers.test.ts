import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { chooseOffer, facilitatorIn, type Till, toPurchaseDigest, transferMethodOf } from '../../src/domain/x402/purchase.ts'

const [usdc, payTo, facilitator] = [`0x${'8'.repeat(40)}`, `0x${'5'.repeat(40)}`, `0x${'7'.repeat(40)}`] as const
const till: Till = { chainId: 97, asset: usdc, domain: { name: 'USD Coin', version: '1' }, hasPermit2: true, hasUpto: true }
const way = (scheme: string, amount: string, extra: JsonObject = {}): JsonObject => ({
  ...{ scheme, network: 'eip155:97', amount, asset: usdc, payTo, maxTimeoutSeconds: 60, extra },
})
const upto = way('upto', '1', { assetTransferMethod: 'permit2', facilitatorAddress: facilitator })
const permit2 = way('exact', '2', { assetTransferMethod: 'permit2' })
const direct = way('exact', '3')
const choose = (accepts: JsonObject[], of: Partial<Till> = {}) =>
  chooseOffer({ header: undefined, challenge: undefined, body: JSON.stringify({ x402Version: 2, accepts }) }, { ...till, ...of })

test('an exact price is preferred to a maximum, and a signed transfer to Permit2', () => {
  expect(choose([upto, permit2, direct])).toMatchObject({ requirement: direct })
  expect(choose([upto, permit2])).toMatchObject({ requirement: permit2 })
  expect(choose([upto])).toMatchObject({ requirement: upto, amount: 1n })
  expect(choose([upto], { hasUpto: false })).toContain('It asks for upto')
})

test('a maximum without a wallet that may take it is no offer', () => {
  const { facilitatorAddress: _, ...nobody } = { assetTransferMethod: 'permit2', facilitatorAddress: facilitator }
  for (const extra of [
    nobody,
    { ...nobody, facilitatorAddress: 'me' },
    { facilitatorAddress: facilitator, assetTransferMethod: 'eip3009' },
  ])
    expect(typeof choose([way('upto', '1', extra)])).toBe('string')
  expect(facilitatorIn({ requirement: upto })).toBe(facilitator)
  expect(transferMethodOf({ requirement: way('upto', '1') })).toBe('permit2')
})

test('the digest of a purchase names who takes at most its price', () => {
  const request = { url: 'https://seller.example/', method: 'GET' as const, body: undefined }
  const digestOf = (requirement: JsonObject) =>
    toPurchaseDigest({ ...request, chainId: 97, amount: 1n, asset: usdc, payTo, requirement })
  const other = way('upto', '1', { assetTransferMethod: 'permit2', facilitatorAddress: payTo })
  expect(new Set([direct, permit2, upto, other].map(digestOf)).size).toBe(4)
})

import { Problem } from '../../../../src/domain/problem.ts'
import type { PaidAnswer } from '../../../../src/domain/x402/paidAnswer.ts'
import { type Authorization, readPaymentHeader, toHeader, toPaymentRequired } from '../../../../src/domain/x402/x402.ts'
import type { ResourceAnswer, ResourceClient } from '../../../../src/ports.ts'
import { tokenDomain, toPay } from '../chain/authorized.ts'
import type { ChainModel } from '../chain/chain.ts'
import { addressOf, places, simulatedChainId } from '../chain/places.ts'
import type { ChainTerms } from '../chain/port.ts'
import type { Faults } from '../faults.ts'
import type { Random } from '../random.ts'

/** A seller, and the charges that it has put off. */
export type Seller = ResourceClient & { chargeLate(): void }

export const sellerWallet = addressOf('seller')
const price = 40_000n
/** The seller's behaviour for a paid request that it has not seen before. */
const manners = ['good', 'good', 'drop', 'break', 'refuse', 'grab', 'twice', 'present', 'pending', 'late'] as const

const answered = (status: number, body: string, paymentRequired?: string): ResourceAnswer => ({
  ...{ status, body, contentType: 'application/json', paymentRequired, challenge: undefined },
})

const toPaid = ({ status, body, contentType }: ResourceAnswer): PaidAnswer => {
  const head = Buffer.from(body)
  return { status, contentType, head, bytes: head.length, parts: 0, ending: 'whole' }
}

type Given = { chain: ChainModel; faults: Faults; random: Random; byUse: boolean } & Pick<ChainTerms, 'permits' | 'takesUpto'>

const byPermit = { name: 'permit2', spender: places.permitProxy } as const
const byUse = { name: 'permit2', spender: places.uptoProxy, facilitator: sellerWallet } as const

/** An x402 seller outside the service, which outlives its processes. It may charge without an answer, or the reverse. */
export const createSeller = ({ chain, faults, random, permits, takesUpto, ...given }: Given): Seller => {
  const known = new Map<string, ResourceAnswer>()
  const late: Authorization[] = []
  const isByUse = takesUpto && (given.byUse || random.fork('by use').chance(0.5))
  const isPermit = permits !== 'none' || isByUse
  const parts = random.fork('parts')
  const charge = ({ from, to, value: amount, nonce, validBefore }: Authorization) => {
    const signed = { from, to, amount, nonce, validBefore: Number(validBefore), isPermit }
    if (!isByUse) return chain.callFrom(sellerWallet, toPay(signed))
    // More than the signed amount is refused by the proxy.
    const part = parts.pick([1n, amount / 3n, amount, amount + 1n])
    return chain.callFrom(sellerWallet, toPay({ ...signed, facilitator: sellerWallet }, part))
  }
  const required = toHeader(
    toPaymentRequired(
      {
        ...{ url: 'https://seller.example/a', description: 'Words', chainId: simulatedChainId, amount: price },
        ...{
          asset: places.usdc,
          payTo: sellerWallet,
          timeoutS: 60,
          method: isByUse ? byUse : isPermit ? byPermit : { name: 'eip3009', domain: tokenDomain },
        },
      },
      'Pay first.',
    ),
  )
  const unpaid = answered(402, '{}', required)

  const serve = (header: string, authorization: Authorization): ResourceAnswer => {
    const manner = random.pick(manners)
    if (manner !== 'good') faults.note(74, `seller: ${manner}`)
    const good = answered(200, '{"said":"words"}')
    if (manner === 'break') return answered(500, 'out of order')
    if (manner === 'pending') return answered(202, '')
    if (manner === 'refuse') return unpaid
    if (manner === 'present') return good
    if (manner === 'late') {
      late.push(authorization)
      return random.pick([unpaid, good, answered(500, 'later')])
    }
    const isCharged = charge(authorization)
    if (manner === 'twice') charge(authorization)
    // Some sellers remember their answers; others refuse the same payment as already used.
    if (random.chance(0.5)) known.set(header, isCharged ? good : unpaid)
    if (manner === 'grab') return unpaid
    if (manner === 'drop') throw new Problem('agent-unreachable')
    return isCharged ? good : unpaid
  }

  return {
    chargeLate() {
      for (const it of late.splice(0)) charge(it)
    },
    ask: async () => unpaid,
    async buy(_request, [, header]) {
      const read = readPaymentHeader(header)
      const answer = read ? (known.get(header) ?? serve(header, read.authorization)) : answered(400, 'no payment')
      return toPaid(answer)
    },
  }
}

import { z } from 'zod'
import { Problem } from '../../../../src/domain/problem.ts'
import { toPayment } from '../../../../src/domain/x402/x402.ts'
import type { ResourceClient } from '../../../../src/ports.ts'
import { toPay } from '../chain/authorized.ts'
import type { ChainModel } from '../chain/chain.ts'
import { addressOf } from '../chain/places.ts'
import type { Faults } from '../faults.ts'
import type { Random } from '../random.ts'

/** A facilitator that the operator chose, and the settlements that it has put off. */
export type Facilitator = Pick<ResourceClient, 'ask'> & { settleLate(): void }

export const facilitatorUrl = 'https://facilitator.example'
const facilitatorWallet = addressOf('facilitator')
/** What it does with a payment that it should settle. */
const manners = ['good', 'good', 'lie', 'deny', 'vanish', 'die', 'late', 'twice', 'nonsense'] as const

const asked = z.looseObject({ paymentPayload: z.unknown() })

type Given = { chain: ChainModel; faults: Faults; random: Random }

/** A facilitator that is honest, lies, is late, or dies before or after it sent the transfer. */
export const createFacilitator = ({ chain, faults, random }: Given): Facilitator => {
  const late: (() => void)[] = []
  const say = (answer: object | string) => ({
    ...{ status: 200, contentType: 'application/json', paymentRequired: undefined, challenge: undefined },
    body: typeof answer === 'string' ? answer : JSON.stringify(answer),
  })
  const settle = (send: () => boolean) => {
    const manner = random.pick(manners)
    if (manner !== 'good') faults.note(95, `facilitator: ${manner}`)
    if (manner === 'vanish') throw new Problem('agent-unreachable')
    if (manner === 'nonsense') return say('<html>')
    if (manner === 'late') late.push(send)
    const isSent = manner !== 'lie' && manner !== 'late' && send()
    if (manner === 'twice') send()
    if (manner === 'die') throw new Problem('agent-unreachable')
    const success = manner === 'lie' || (manner !== 'deny' && (isSent || random.chance(0.5)))
    return say({ success, transaction: `0x${random.hex(64)}`, network: 'eip155:97' })
  }
  return {
    settleLate() {
      for (const send of late.splice(0)) send()
    },
    async ask({ url, body }) {
      const payment = toPayment(asked.parse(JSON.parse(body ?? '{}')).paymentPayload)
      if (!payment) throw new RangeError('the facilitator was asked for no payment')
      if (url.endsWith('/verify')) return say({ isValid: !faults.has(95) || random.chance(0.9) })
      const { from, to, value: amount, nonce, validBefore } = payment.authorization
      const transfer = { from, to, amount, nonce, validBefore: Number(validBefore), isPermit: payment.permit !== undefined }
      return settle(() => chain.callFrom(facilitatorWallet, toPay(transfer)))
    },
  }
}

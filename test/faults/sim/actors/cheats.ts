import type { Address } from '../../../../src/domain/hex.ts'
import { toPay } from '../chain/authorized.ts'
import { places } from '../chain/places.ts'
import { stranger } from '../weather.ts'
import type { PaidAttempt, SignedPayment } from './callers.ts'
import type { Paying } from './payers.ts'

/** What a dishonest payer does with a payment that it has signed. It does nothing on the chain when the token refuses it. */
type Cheat = { kind: number; weight: number; do(at: Paying, signed: SignedPayment): void }

const walletsOf = ({ world }: Paying): Address[] => [...world.log.agentWallets.values()]

const cheats: Cheat[] = [
  {
    kind: 92,
    weight: 5,
    do(at, signed) {
      const { random, world, payer } = at
      const { amount } = signed
      const to = random.pick([payer.wallet, payer.wallet, stranger, places.outside, signed.to, ...walletsOf(at)])
      const other = { ...signed, to, amount: random.pick([0n, 1n, amount, amount > 0n ? amount - 1n : 0n, amount * 2n]) }
      // A nonce of the scheme `upto` may be signed for a transfer that anybody may send.
      if (other.facilitator && random.chance(0.5)) other.facilitator = undefined
      const isSent = world.ground.chain.callFrom(random.pick([payer.wallet, stranger]), toPay(other))
      note(at, 92, isSent ? 'nonce spent on another transfer' : 'nonce could not be spent again')
    },
  },
  {
    kind: 93,
    weight: 2,
    do(at, { from, nonce, isPermit }) {
      const isSent = at.world.ground.chain.callFrom(from, { name: 'cancel', from, nonce, isPermit })
      note(at, 93, isSent ? 'authorization taken back' : 'authorization could not be taken back')
    },
  },
  {
    kind: 94,
    weight: 2,
    do(at, { from, amount }) {
      const { usdc } = at.world.ground.chain.state
      const held = usdc.get(from) ?? 0n
      const isAway = held < amount
      const [source, to] = isAway ? [places.outside, from] : [from, places.outside]
      at.world.ground.chain.callFrom(source, { name: 'transfer', to, amount: String(usdc.get(source) ?? 0n) })
      note(at, 94, isAway ? 'money moved back' : 'money moved away')
    },
  },
  {
    kind: 86,
    weight: 1,
    do(at, signed) {
      for (const sender of [signed.from, stranger]) at.world.ground.chain.callFrom(sender, toPay(signed))
      note(at, 86, 'transfer sent by the payer, and again by another')
    },
  },
]

const note = ({ world }: Paying, kind: number, what: string) => world.ground.faults.note(kind, what)

/** Cheats with any payment of the payer: one whose work goes on, or one that has been settled. */
export const cheat = (at: Paying): void => {
  const { world, payer, random } = at
  const attempts = world.log.calls.filter(it => it.payer === payer.wallet)
  const open = attempts.filter(it => !it.isOver)
  cheatWith(at, random.pick(open.length > 0 && random.chance(0.7) ? open : attempts))
}

/** Sometimes cheats before the payment is sent for the first time. */
export const cheatAtOnce = (at: Paying, attempt: PaidAttempt): void => {
  if (at.random.chance(0.1)) cheatWith(at, attempt)
}

const cheatWith = (at: Paying, { payments }: PaidAttempt) => {
  const possible = cheats.filter(it => at.world.ground.faults.has(it.kind))
  if (possible.length > 0 && payments.length > 0) at.random.weighted(possible).do(at, at.random.pick(payments))
}

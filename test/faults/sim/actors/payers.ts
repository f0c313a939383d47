import { z } from 'zod'
import type { Address } from '../../../../src/domain/hex.ts'
import { confirmPurchase, readPurchase } from '../../../../src/features/x402Buying/confirmPurchase.ts'
import { proposePurchase } from '../../../../src/features/x402Buying/proposePurchase.ts'
import { addressOf } from '../chain/places.ts'
import type { Random } from '../random.ts'
import type { Answer, World } from '../world.ts'
import { actAsCaller, hasCall } from './callers.ts'
import { cheat } from './cheats.ts'
import type { Agent } from './provider.ts'

/** A payer by x402: a stranger for calls of agents, and a user with a custodial wallet for outside resources. */
export type Payer = {
  wallet: Address
  user: Address | undefined
  /** Whether it only ever pays what it signed. */
  isHonest: boolean
  calls: number
  purchases: number
  bought: Purchase[]
}
type Purchase = { id: string; digest: string; state: string }

/** A payer that is about to act. */
export type Paying = { world: World; payer: Payer; agents: Agent[]; random: Random }

export const createPayer = (name: string, user: Address | undefined, random: Random): Payer => ({
  ...{ wallet: addressOf(name), user, calls: 1 + random.int(4), purchases: 1 + random.int(3), bought: [] },
  isHonest: random.fork(`${name} is honest`).chance(0.4),
})

/** Performs the next action of a payer. */
export const actPayer = async (at: Paying): Promise<void> => {
  const { world, payer, random } = at
  // A purchase counts as paid after the confirmations of its chain, and deeper reorganisations are not followed.
  const mayBuy = payer.user !== undefined && ![26, 27, 85, 88].some(it => world.ground.faults.has(it))
  if (mayBuy && random.chance(0.5)) return buy(at)
  if (!payer.isHonest && hasCall(at) && random.chance(0.35)) return cheat(at)
  await actAsCaller(at)
}

const record = z.looseObject({ purchase_id: z.string(), digest: z.string(), state: z.string() })

const buy = async ({ world, payer, random }: Paying) => {
  const wallet = payer.user
  const keep = (answer: Answer) => {
    const { data } = record.safeParse('value' in answer ? answer.value : undefined)
    if (!data) return
    const kept = payer.bought.find(it => it.id === data.purchase_id)
    if (kept) kept.state = data.state
    else payer.bought.push({ id: data.purchase_id, digest: data.digest, state: data.state })
  }
  const open = payer.bought.filter(it => it.state === 'proposed' || it.state === 'paying')
  if (open.length === 0) {
    if (payer.purchases === 0) return
    payer.purchases -= 1
    const input = { url: `https://seller.example/${random.hex(6)}`, body: { text: 'words' } }
    return world.go(world.ask({ operation: proposePurchase, input, wallet, heard: keep }))
  }
  const { id: purchase_id, digest, state } = random.pick(open)
  if (state === 'paying') return world.go(world.ask({ operation: readPurchase, input: { purchase_id }, wallet, heard: keep }))
  const input = { purchase_id, digest, decision: random.chance(0.9) ? 'yes' : 'no', wait_ms: 0 }
  const count = random.chance(0.2) ? 2 : 1
  await world.go(...Array.from({ length: count }, () => world.ask({ operation: confirmPurchase, input, wallet, heard: keep })))
}

import { expect, test } from 'vitest'
import { isDefensible } from '../../graphs/butler/call/gate.ts'
import type { ButlerState } from '../../graphs/butler/state.ts'
import { listing } from '../search/listings.ts'
import { fresh } from './states.ts'

const at = (id: string, price: string) => ({ listing: listing({ name: 'Notes', id, price }), coverage: 1 })
const isBought = (price: string, cheapest: string): boolean => {
  const [own, other] = [at('own', price), at('other', cheapest)]
  const pick = { agentId: own.listing.agentId, offeringId: own.listing.id, coverage: 1 }
  const called: ButlerState['called'] = {
    ...{ tool: 'propose_hire', input: {}, concluded: [], query: '', wishes: [], words: '', asks: {} },
    ...{ isStrange: false, isNone: false, evidence: [], picks: [pick], topic: '', several: [] },
  }
  return isDefensible({ ...fresh, called }, { listing: own.listing, input: {}, found: [other, own] })
}

test.each([
  ['0.2', '0.1', true],
  ['0.200000000000000001', '0.1', false],
  ['0.0000002', '0.0000001', true],
  // Twice the cheapest price is an amount of seven decimals, which a float prints with an exponent.
  ['5', '0.0000001', false],
  ['5', '1e-7', false],
])('under a mandate %s USDC beside %s is bought without asking: %s', (price, cheapest, isIt) =>
  expect(isBought(price, cheapest)).toBe(isIt),
)

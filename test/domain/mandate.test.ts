import { expect, test } from 'vitest'
import { categoriesOf, confirmationReason, type Draw, isLive, leftOf, type Mandate } from '../../src/domain/money/mandate.ts'

const mandate: Mandate = {
  ...{ id: 'mandate_1', user: '0x01', chainId: 97, decimals: 6, period: 'day', categories: [], payees: [] },
  ...{ maxPerJob: 5_000_000n, maxPerPeriod: 20_000_000n, askAbove: 3_000_000n },
  ...{ createdAt: 0, expiresAt: 1_000, revokedAt: undefined },
}
const payee = { host: 'api.acme.io', address: '0xaa', isOutside: false } as const
const outside = { ...payee, isOutside: true }
const draw: Draw = { amount: 1_000_000n, categories: ['weather'], used: 0n, now: 500 }

test.each<[string, Partial<Mandate>, Partial<Draw>, string | undefined]>([
  ['within every limit', {}, {}, undefined],
  ['at the limit of a job and of asking', { askAbove: 5_000_000n }, { amount: 5_000_000n }, undefined],
  ['one unit above the limit of a job', { askAbove: 9_000_000n }, { amount: 5_000_001n }, '5.000001 is above 5 a job'],
  ['at the amount to ask above', {}, { amount: 3_000_000n }, undefined],
  ['one unit above the amount to ask above', {}, { amount: 3_000_001n }, '3.000001 is above 3'],
  ['exactly what is left', {}, { used: 19_000_000n }, undefined],
  ['one unit more than what is left', {}, { used: 19_000_001n }, '1 is more than what is left'],
  ['after its limit was used up', {}, { used: 30_000_000n }, '1 is more than what is left'],
  ['an agent of one of its categories', { categories: ['travel', 'weather'] }, {}, undefined],
  ['an agent of another category', { categories: ['travel', 'news'] }, {}, 'the agent names none of the categories travel, news'],
  ['of a plan whose further agent has one of them', { categories: ['news', 'weather'] }, { also: [['news']] }, undefined],
  [
    'of a plan whose last agent has none of them',
    { categories: ['weather'] },
    { also: [['weather'], ['news']] },
    'the agent names none of the categories weather',
  ],
  ['that pays somebody, where it names nobody', {}, { payee }, undefined],
  ['that pays a host it names', { payees: ['x.io', 'api.acme.io'] }, { payee }, undefined],
  ['that pays an address it names', { payees: ['0xaa'] }, { payee }, undefined],
  ['that pays another', { payees: ['x.io'] }, { payee }, 'the mandate names other payees than api.acme.io'],
  ['that pays outside the market', {}, { payee: outside }, 'the mandate does not name api.acme.io, which is outside the market'],
  ['that pays a host outside it names', { payees: ['api.acme.io'] }, { payee: outside }, undefined],
  ['that pays a host it names, of no category', { payees: ['api.acme.io'], categories: ['news'] }, { payee }, undefined],
  ['that pays, of another category', { categories: ['news'] }, { payee }, 'the agent names none of the categories news'],
  ['in its last millisecond', {}, { now: 999 }, undefined],
  ['at its end', {}, { now: 1_000 }, 'the mandate has ended'],
  ['revoked', { revokedAt: 400 }, {}, 'the mandate was revoked'],
])('a hire %s', (_, of, by, reason) => {
  expect(confirmationReason({ ...mandate, ...of }, { ...draw, ...by })).toBe(reason)
})

test('a mandate that is over or revoked is not live, and what is left is never negative', () => {
  expect([isLive(mandate, 999), isLive(mandate, 1_000), isLive({ ...mandate, revokedAt: 1 }, 0)]).toEqual([true, false, false])
  expect([leftOf(mandate, 5_000_000n), leftOf(mandate, 20_000_000n), leftOf(mandate, 21_000_000n)]).toEqual([15_000_000n, 0n, 0n])
})

test('the categories of an agent are its tags and its skills in lower case, wherever its registration has them', () => {
  const card = {
    tags: ['Weather', ' Travel '],
    skills: [{ id: 'Forecast', name: 'Rain', tags: ['Sky'] }, 'nonsense'],
    card: { tags: 'news', skills: { id: 'daily' } },
  }
  expect(categoriesOf(card).toSorted()).toEqual(['daily', 'forecast', 'news', 'rain', 'sky', 'travel', 'weather'])
  expect(categoriesOf({})).toEqual([])
})

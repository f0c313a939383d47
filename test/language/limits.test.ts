import { describe, expect, test } from 'vitest'
import { gapOf } from '../../src/language/text/gap.ts'
import { takeCategory, takeChain, takeDeadline, toMinutes } from '../../src/language/text/limits.ts'
import { offering } from '../store/rows.ts'

/** A Monday at 9:30 UTC. */
const now = Date.UTC(2026, 0, 5, 9, 30)
const minutesOf = (message: string) => {
  const { found } = takeDeadline(message)
  return found && toMinutes(found, now)
}

describe('the deadline wish', () => {
  test.each([
    ['a logo within 10 minutes', 10],
    ['a logo in less than an hour', 60],
    ['I need it in half an hour', 30],
    ['a summary, within 2 days please', 2 * 24 * 60],
    ['a logo by noon', 150],
    ['a logo by tomorrow noon', 24 * 60 + 150],
    ['a logo by 5pm', 450],
    ['a logo by 9am', 24 * 60 - 30],
    ['a logo by 17:45', 495],
    ['a logo before tonight', 870],
    ['a logo by Tuesday evening', 24 * 60 + 690],
    ['a logo by the end of the day', 870],
    ['a logo by 9:35 or in 15 min', 15],
    ['a logo by tomorrow noon, two hours is ok', 120],
    ['a logo by noon, it can wait 3 hours', 180],
  ])('%s: %d minutes', (message, minutes) => {
    expect(minutesOf(message)).toBe(minutes)
  })

  test.each(['the weather in 10 minutes', 'a story by Tolstoy', 'a train at 5pm', 'a table for tomorrow', 'stand by me lyrics'])(
    'no deadline is read from: %s',
    message => expect(minutesOf(message)).toBeUndefined(),
  )
})

describe('the chain wish', () => {
  test.each([
    ['a summary on base', 8453],
    ['a summary on base sepolia for 1 USDC', 84532],
    ['a summary on bsc testnet', 97],
    ['a summary on BNB chain, please', 56],
    ['a summary on chain 1952', 1952],
    ['a summary, chain id: 97', 97],
  ])('%s', (message, id) => expect(takeChain(message).found).toBe(id))

  test.each([
    'the area using the base and height',
    'a report on base pairs in DNA',
    'a lecture on base rates',
    'a supply chain report',
  ])('no chain is read from: %s', message => expect(takeChain(message).found).toBeUndefined())
})

test('a category is recognised by the words that users have for it', () => {
  expect(takeCategory('something nice in the category travel for 2 USDC')).toMatchObject({ found: 'travel' })
  expect(takeCategory('a poem about category theory').found).toBeUndefined()
})

test('the mismatch between an offering and the wishes is named, each wish separately', () => {
  const it = offering({ price: '1.50', slaMinutes: 60 })
  expect(gapOf(it, { maxPrice: '1' })).toBe('it costs 1.50 USDC, you said at most 1')
  const byUse = { ...it, usage: { unit: 'pages', perUnit: '0.1' } }
  expect(gapOf(byUse, { maxPrice: '1' })).toBe('it costs up to 1.50 USDC, you said at most 1')
  expect(gapOf(it, { maxPrice: '1.5', withinMinutes: 10 })).toBe('it promises 60 minutes, you said 10')
  expect(gapOf(it, { maxPrice: '1', withinMinutes: 10 })).toContain('; ')
  expect(gapOf(it, { category: 'whaling' })).toContain('category whaling')
  expect(gapOf(it, { maxPrice: '1.5', withinMinutes: 60 })).toBe('')
})

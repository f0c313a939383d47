import { beforeAll, expect, test } from 'vitest'
import { startService } from '../people/service.ts'
import { type HeldPhrase, holdPhrases } from './hold.ts'
import { readPhrases } from './phrases.ts'

let noYes: HeldPhrase[]
let yes: HeldPhrase[]
beforeAll(async () => {
  const [noes, yeses] = await Promise.all(['no-yes.txt', 'yes.txt'].map(file => readPhrases(new URL(file, import.meta.url))))
  const { call, stop } = await startService()
  const held = await holdPhrases(call, [...(noes ?? []), ...(yeses ?? [])]).finally(stop)
  noYes = held.slice(0, noes?.length)
  yes = held.slice(noes?.length)
}, 600_000)

test('of hundreds of phrases that are no yes, in many voices and ten languages, none hires', () => {
  expect(noYes.length).toBeGreaterThan(500)
  expect(noYes.filter(it => it.isHired).map(it => it.said)).toEqual([])
})

test('of a hundred plain agreements at most three are asked again', () => {
  expect(yes.length).toBeGreaterThanOrEqual(100)
  const asked = yes.filter(it => !it.isHired).map(it => it.said)
  expect({ asked, isFew: asked.length <= yes.length * 0.03 }).toMatchObject({ isFew: true })
})

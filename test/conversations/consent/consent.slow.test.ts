import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Call, startService } from '../people/service.ts'
import { holdPhrases } from './hold.ts'
import { readPhrases } from './phrases.ts'

let service: { call: Call; stop(): Promise<void> }
beforeAll(async () => {
  service = await startService()
}, 120_000)
afterAll(() => service?.stop())

const held = async (file: string) => holdPhrases(service.call, await readPhrases(new URL(file, import.meta.url)))

test('of hundreds of phrases that are no yes, in many voices and ten languages, none hires', async () => {
  const said = await held('no-yes.txt')
  expect(said.length).toBeGreaterThan(500)
  expect(said.filter(it => it.isHired).map(it => it.said)).toEqual([])
}, 600_000)

test('of a hundred plain agreements at most three are asked again', async () => {
  const said = await held('yes.txt')
  const asked = said.filter(it => !it.isHired).map(it => it.said)
  expect({ asked, isFew: asked.length <= said.length * 0.03 }).toMatchObject({ isFew: true })
}, 600_000)

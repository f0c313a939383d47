import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Problem } from '../../src/domain/problem.ts'
import { parseInput } from '../../src/operations/operation.ts'
import { routes } from '../assembled.ts'
import { startTestService, type TestService } from '../service.ts'
import { get, post } from './wire.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const values = [undefined, null, '', 'x', 'x'.repeat(100_000), -1, 1.5, 1e9, true, [], [{}], {}, { a: { b: 1 } }]
/** Words of the library, which name its types. */
const foreign = /Invalid|expected|received|undefined|Too (?:big|small)|Unrecognized/

test('the fault of each member of each route is a sentence in words of ours, which names a member', () => {
  const operations = new Set(routes.map(it => it.operation))
  const told = [...operations].flatMap(({ name, input }) => {
    const members = input instanceof z.ZodObject ? Object.keys(input.shape) : []
    return [{}, ...members.flatMap(member => values.map(value => ({ [member]: value })))].flatMap(raw => {
      try {
        parseInput(input, raw)
        return []
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return [`${name} ${error.detail}`]
      }
    })
  })
  expect(told.length).toBeGreaterThan(500)
  expect(told.filter(it => foreign.test(it) || !/ \/\S*: \S.*\S$/.test(it))).toEqual([])
})

test('a search with q in place of query is refused with both names, as is a misspelt member of a body', async () => {
  const words = '/query: query is missing. It must be a text. q is not known here; did you mean query?'
  const refused = { status: 422, json: { code: 'invalid-input', detail: words, pointer: '/query' } }
  expect(await get(market.url, '/offerings/search?q=time')).toMatchObject(refused)
  expect(await post(market.url, '/v1/hires', { tasks: 'x' }, (await market.user('ada')).token)).toMatchObject({
    json: { detail: '/task: task is missing. It must be a text. tasks is not known here; did you mean task?' },
  })
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeRegistration } from '../../src/kit/kit.ts'
import { echo, platformOfTest, run } from './agents.ts'

const requirement = z.object({ city: z.string().min(2).describe('The city'), hours: z.number().int().optional() })

/** The report of an agent about a job with this input. */
const workOn = async (input: string) => {
  const platform = await platformOfTest()
  platform.queue('j1', input)
  await run({
    ...echo(platform.url),
    offerings: [{ id: 'clock', name: 'Clock', description: 'Tells the time', price: '0.02', requirement }],
    handler: ({ read }) => {
      const { city, hours = 12 } = read(requirement)
      return `${city.toUpperCase()} ${hours}`
    },
  })
  return (await platform.told('/gateway/jobs/complete'))[0]?.body
}

test('a zod schema is registered as the JSON schema of its input', () => {
  const offerings = [{ id: 'clock', name: 'Clock', description: 'Tells the time', price: '0.02', requirement }]
  const { jobOfferings } = describeRegistration({ ...echo('http://127.0.0.1:1'), offerings }, 'http://127.0.0.1:1')
  expect(jobOfferings).toMatchObject([
    {
      requirement: {
        type: 'object',
        required: ['city'],
        properties: { city: { type: 'string', minLength: 2, description: 'The city' }, hours: { type: 'integer' } },
      },
      deliverable: {},
    },
  ])
  expect(JSON.stringify(jobOfferings)).not.toContain('$schema')
})

test.each([
  ['JSON', '{"city":"Oslo","hours":24}', 'OSLO 24'],
  ['plain text', 'Oslo', 'OSLO 12'],
  ['a sentence', "Clock where topic is 'Oslo'", 'OSLO 12'],
])('a handler reads %s in the type of its requirement', async (_form, input, response) => {
  expect(await workOn(input)).toMatchObject({ status: 'completed', result: { response } })
})

test('an input that does not fit fails the job with the members that do not fit', async () => {
  const report = await workOn('{"city":7}')
  expect(report).toMatchObject({ status: 'failed', error: expect.stringContaining('city') })
})

import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentOffering } from '../../src/kit/kit.ts'
import { invokeOutput } from '../../src/operations/messages/invoke.ts'
import { talk } from '../hire/market.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { png, upload } from './wire.ts'

let market: TestService
const picture = { type: 'string', format: 'file', contentMediaType: 'image/*' }
const offering = (id: string, name: string, description: string, types = 'image/*'): AgentOffering => ({
  ...{ id, name, description, price: '0.05', slaMinutes: 5 },
  requirement: JSON.parse(
    JSON.stringify({ type: 'object', required: ['picture'], properties: { picture: { ...picture, contentMediaType: types } } }),
  ),
  deliverable: JSON.parse(
    JSON.stringify({ type: 'object', required: ['picture', 'note'], properties: { picture, note: { type: 'string' } } }),
  ),
})
/** The widths of the pictures that the agents got. */
const got = new Map<string, number | undefined>()

beforeAll(async () => {
  market = await startTestService()
  const sell = (handle: string, width: number, it: AgentOffering) =>
    market.agent({
      handle,
      offerings: [it],
      handler: async ({ job, upload: give }) => {
        const bytes = (await job?.files.picture?.read()) ?? new Uint8Array()
        got.set(handle, (await sharp(bytes).metadata()).width)
        return { picture: await give(await sharp(bytes).resize(width).png().toBuffer(), `${handle}.png`), note: 'done' }
      },
    })
  await sell('enlarger', 20, offering('enlarge', 'Enlarge a picture', 'Makes a picture larger: a photo or a logo'))
  await sell('framer', 30, offering('frame', 'Frame a picture', 'Puts a picture in a wooden frame', 'application/pdf, image/*'))
  const tide = { type: 'object', required: ['harbour'], properties: { harbour: { type: 'string', description: 'the harbour' } } }
  await market.agent({
    handle: 'tides',
    offerings: [
      {
        ...{
          id: 'tide',
          name: 'Tide of a harbour',
          description: 'Tells the next tide of a harbour.',
          price: '0.05',
          slaMinutes: 5,
        },
        requirement: JSON.parse(JSON.stringify(tide)),
        deliverable: JSON.parse(JSON.stringify({ type: 'string' })),
      },
    ],
    handler: async () => 'at noon',
  })
})
afterAll(() => market?.stop())

test('a later step of a plan gets the file that an earlier one made, and its agent can read it', async () => {
  const ada = await market.user('ada')
  const { file_id } = await upload({ url: market.url, token: ada.token }, { bytes: png, name: 'logo.png' })
  const conversation_id = randomUUID()
  const body = { message: 'Enlarge this picture, then put that picture in a wooden frame', files: [file_id], conversation_id }
  const { data, content } = invokeOutput.parse(await ada.client.post('/invoke', body))
  expect(
    data.plan?.steps.map(it => it.offering_name),
    content,
  ).toEqual(['Enlarge a picture', 'Frame a picture'])
  await talk(ada, conversation_id).say('yes', 0)
  await until('both steps to be done', async () => got.size === 2)
  expect([...got]).toEqual([
    ['enlarger', 1],
    ['framer', 20],
  ])
})

test('a file goes to the task that takes it, and a file that no step of a plan takes is named', async () => {
  const bea = await market.user('bea')
  const { file_id } = await upload({ url: market.url, token: bea.token }, { bytes: png, name: 'logo.png' })
  const ask = async (message: string) => {
    const body = { message, files: [file_id], conversation_id: randomUUID() }
    return invokeOutput.parse(await bea.client.post('/invoke', body))
  }
  const { data } = await ask('Put this picture in a wooden frame and tell me the tide of Whitby')
  expect(data.plan?.steps).toMatchObject([
    { offering_name: 'Frame a picture', input: JSON.stringify({ picture: file_id }) },
    { offering_name: 'Tide of a harbour', input: '{"harbour":"Whitby"}', left_out: [] },
  ])
  const { content } = await ask('Tell me the tide of Whitby and then the tide of Hull')
  expect(content).toContain('logo.png')
})

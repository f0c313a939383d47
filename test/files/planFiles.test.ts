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

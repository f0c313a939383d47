import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { fileRecord } from '../../src/records/file.ts'
import { ask, provider, rested, talk } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { leaseWith, shrinking } from './leases.ts'
import { getFile, png, refusalOf, sendFile, upload } from './wire.ts'

let market: TestService
let ada: User
let bob: User
beforeAll(async () => {
  market = await startTestService()
  ada = await market.user('ada')
  bob = await market.user('bob')
})
afterAll(() => market.stop())

const as = ({ token }: { token: string }) => ({ url: market.url, token })

const hire = (user: User, fileId: string) => leaseWith(market, user, fileId)

const complete = (agent: Awaited<ReturnType<typeof provider>>, jobId: string, deliverable: JsonObject) =>
  ask({ url: market.url, token: agent.token }, '/gateway/jobs/complete', { body: { job_id: jobId, deliverable } })

test('a file goes to the agent, another one comes back, and both stand with their hashes in terms and verdict', async () => {
  const sent = await upload(as(ada), { bytes: png, name: 'holiday.png' })
  const { agent, runId, proposal, job } = await hire(ada, sent.file_id)
  const named = { file_id: sent.file_id, sha256: sent.sha256, name: 'holiday.png' }
  expect(proposal.files).toMatchObject([{ member: 'picture', ...named }])
  expect(JSON.parse(job.job_input)).toEqual({ picture: sent.file_id })
  expect(job.files).toMatchObject([{ member: 'picture', ...named }])

  // By the address of the lease, and by the agent's own credential.
  const url = job.files[0]?.url ?? ''
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(png)).toBe(true)
  expect((await getFile(as(agent), sent.file_id)).status).toBe(200)
  const used = await fetch(`${market.url}/v1/files/${sent.file_id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${ada.token}` },
  })
  expect(await refusalOf(used)).toMatchObject({ status: 409, code: 'file-in-use' })

  const missing = await complete(agent, job.job_id, { small: 'file_00000000000000000000000000000000' })
  expect(missing).toMatchObject({
    status: 422,
    body: { pointer: '/deliverable/small', detail: expect.stringContaining('file_000') },
  })
  const foreign = await complete(agent, job.job_id, { small: sent.file_id })
  expect(foreign.status).toBe(422)

  const path = `/gateway/jobs/${job.job_id}/files`
  const made = await upload(as(agent), { bytes: png, name: 'small.png', path })
  const again = fileRecord.parse(await (await fetch(`${job.upload_url}&name=small.png`, { method: 'POST', body: png })).json())
  expect(again.file_id).toBe(made.file_id)
  // The buyer gets it with the deliverable, and not before.
  expect((await getFile(as(ada), made.file_id)).status).toBe(404)
  expect((await complete(agent, job.job_id, { small: made.file_id })).body).toMatchObject({
    accepted: true,
    evaluation: { pass: true },
  })
  const run = await rested(ada, runId)
  expect(run.job?.state).toBe('settled')
  expect(run.verdict?.files).toMatchObject([{ member: 'small', file_id: made.file_id, sha256: made.sha256 }])
  expect(Buffer.from(await (await getFile(as(ada), made.file_id)).arrayBuffer()).equals(png)).toBe(true)

  // Everybody else, and the agent after its work.
  const other = await provider(market, shrinking)
  for (const who of [as(bob), as(other), { url: market.url }])
    for (const id of [sent.file_id, made.file_id]) expect((await getFile(who, id)).status).toBe(404)
  expect((await getFile(as(agent), sent.file_id)).status).toBe(404)
  expect((await fetch(url)).status).toBe(404)
  expect((await fetch(`${job.upload_url}&name=late.png`, { method: 'POST', body: png })).status).toBe(401)
  const late = await sendFile(as(agent), { bytes: Buffer.from('late'), path })
  expect(await refusalOf(late)).toMatchObject({ status: 409, code: 'job-already-closed' })
})

test('a delivered file of another type or size fails its check, and the agent reads why', async () => {
  const sent = await upload(as(ada), { bytes: png, name: 'again.png' })
  const { agent, job } = await hire(ada, sent.file_id)
  const path = `/gateway/jobs/${job.job_id}/files`
  const text = await upload(as(agent), { bytes: Buffer.from('not a picture'), type: 'image/png', name: 'small.png', path })
  expect((await complete(agent, job.job_id, { small: text.file_id })).body).toMatchObject({
    evaluation: { pass: false, errors: [expect.stringContaining('small.png is text/plain')] },
  })
})

test('an agent of the kit reads the file of its job as a stream, and uploads what it made', async () => {
  await market.agent({
    handle: 'shrinker',
    offerings: [shrinking],
    handler: async ({ job, upload: give }) => {
      const parts: Uint8Array[] = []
      for await (const part of (await job?.files.picture?.stream()) ?? []) parts.push(part)
      return { small: await give(Buffer.concat(parts), 'same.png') }
    },
  })
  const sent = await upload(as(bob), { bytes: png, name: 'logo.png' })
  const chat = talk(bob)
  await bob.client.post('/invoke', {
    ...{ message: 'Hire shrinker to shrink this picture', files: [sent.file_id] },
    context: { conversation_id: chat.conversationId },
  })
  const { run_id } = await chat.say('yes', 0)
  const { verdict } = await rested(bob, run_id)
  const [file] = verdict?.files ?? []
  expect(file).toMatchObject({ name: 'same.png', sha256: sent.sha256 })
  expect((await getFile(as(bob), file?.file_id ?? '')).status).toBe(200)
})

test('a task with a file of somebody else is refused, whether it is named beside the words or in them', async () => {
  const { file_id } = await upload(as(ada), { bytes: png, name: 'private.png' })
  const message = 'Hire shrinker to shrink'
  const bodies = [
    { message, files: [file_id] },
    { message: `${message} {"picture":"${file_id}"}` },
    { message: `${message} ${file_id}` },
  ]
  for (const body of bodies)
    expect(await ask(as(bob), '/invoke', { body })).toMatchObject({ status: 404, code: 'file-not-found' })
})

import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../src/domain/json.ts'
import type { AgentOffering } from '../../src/kit/kit.ts'
import { fileRecord } from '../../src/records/file.ts'
import { ask, provider, rested, talk } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { leased, leaseWith, shrinking } from './leases.ts'
import { toPdf } from './pdf.ts'
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

const small1 = (jobId: string) => ({ bytes: png, name: 'small.png', path: `/gateway/jobs/${jobId}/files` })

const hire = (user: User, fileId: string, offering?: AgentOffering) => leaseWith(market, user, { fileId, offering })

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
  expect(sent.expires_at).not.toBeNull()
  expect(await upload(as(ada), { bytes: png, name: 'holiday.png' })).toEqual({ ...sent, expires_at: null })

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

test('a delivered file is measured where the schema demands it, and the agent reads what is wrong', async () => {
  const sent = await upload(as(ada), { bytes: png, name: 'again.png' })
  const demanding = {
    report: { type: 'string', format: 'file', contentMediaType: 'application/pdf', minPages: 2, maxPages: 3 },
    picture: { type: 'string', format: 'file', minWidth: 64 },
    table: { type: 'string', format: 'file', contentMediaType: 'text/csv', minRows: 2 },
  }
  const deliverable = JSON.parse(JSON.stringify({ type: 'object', properties: demanding, required: Object.keys(demanding) }))
  const { agent, job, runId, proposal } = await hire(ada, sent.file_id, { ...shrinking, deliverable })
  expect(proposal.judgedBy).toContain('report is a PDF of at least 2 pages, at most 3 pages')
  const path = `/gateway/jobs/${job.job_id}/files`
  const give = async (name: string, bytes: Uint8Array) => (await upload(as(agent), { bytes, name, path })).file_id
  const wide = await sharp({ create: { width: 80, height: 20, channels: 3, background: '#0b665b' } })
    .png()
    .toBuffer()
  const bad = {
    report: await give('short.pdf', toPdf(['one'])),
    picture: await give('tiny.png', png),
    table: await give('empty.csv', Buffer.from('a,b\n1,2\n')),
  }
  const refused = await complete(agent, job.job_id, bad)
  expect(refused.body).toMatchObject({
    evaluation: {
      pass: false,
      errors: expect.arrayContaining([
        'short.pdf has 1 page, and should have at least 2 pages.',
        'tiny.png has 1 pixel of width, and should have at least 64 pixels of width.',
        'empty.csv has 1 row, and should have at least 2 rows.',
      ]),
    },
  })
  const again = await ask({ url: market.url, token: agent.token }, `/gateway/jobs/poll?agent=${agent.agentId}&timeout=10`)
  expect(leased.parse(again.body).job_id).toBe(job.job_id)
  const good = {
    report: await give('long.pdf', toPdf(['one', 'two'])),
    picture: await give('wide.png', wide),
    table: await give('people.csv', Buffer.from('a,b\n1,2\n3,4')),
  }
  expect((await complete(agent, job.job_id, good)).body).toMatchObject({ evaluation: { pass: true } })
  const run = await rested(ada, runId)
  expect(run.job?.state).toBe('settled')
  expect(new Map(run.verdict?.files?.map(it => [it.member, it.measures]))).toEqual(
    new Map<string, object>([
      ['report', { bytes: toPdf(['one', 'two']).length, pages: 2 }],
      ['picture', { bytes: wide.length, width: 80, height: 20 }],
      ['table', { bytes: 11, rows: 2 }],
    ]),
  )
})

test('an old member for the address of a picture takes a file: the terms hold its hash, and its agent alone gets an address', async () => {
  const sent = await upload(as(ada), { bytes: png, name: 'portrait.png' })
  const photo_url = { type: 'string', format: 'uri', description: 'Address of the photo' }
  const requirement = JSON.parse(JSON.stringify({ type: 'object', properties: { photo_url }, required: ['photo_url'] }))
  const { agent, job, runId, proposal } = await hire(ada, sent.file_id, { ...shrinking, requirement })
  expect(proposal.files).toMatchObject([{ member: 'photo_url', sha256: sent.sha256 }])
  expect(JSON.parse(proposal.input)).toEqual({ photo_url: sent.file_id })
  const { photo_url: url } = z.object({ photo_url: z.url() }).parse(JSON.parse(job.job_input))
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(png)).toBe(true)
  const [run, events, record] = await Promise.all([
    ada.client.get(`/runs/${runId}`),
    ada.client.get(`/runs/${runId}/events`),
    ada.client.get(`/v1/jobs/${job.job_id}`),
  ])
  expect(JSON.stringify([run, events, record])).not.toContain('sig=')
  await complete(agent, job.job_id, { small: (await upload(as(agent), small1(job.job_id))).file_id })
  await rested(ada, runId)
  expect((await fetch(url)).status).toBe(404)
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

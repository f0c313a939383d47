import { z } from 'zod'
import { toFileName } from '../../domain/files/fileName.ts'
import { toDeclaredType } from '../../domain/files/mediaType.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { uploadRecord } from '../../records/file.ts'
import { makeRoomFor, upload } from '../files/keepUpload.ts'
import { type Deps, operation } from '../operation.ts'
import { type Begun, findUpload, finish, linkParts, offsetOf, toUploadRecord, tusHeaders, uploaderOf } from './findUpload.ts'

export const beginUpload = operation({
  name: 'beginUpload',
  summary:
    'Begin an upload in parts, which goes on after a broken connection (tus 1.0). With `job_id` it is a file for that job, ' +
    'and needs what POST /gateway/jobs/{job_id}/files needs.',
  caller: 'anyone',
  scope: 'hire',
  input: z.object({
    bytes: z.coerce.number().int().min(1).describe('The size of the file; or the header Upload-Length'),
    name: z.string().optional(),
    type: z.string().optional().describe('Its media type'),
    metadata: z.string().max(2_000).optional().describe('The header Upload-Metadata, with `filename` and `filetype`'),
    job_id: z.string().max(100).optional(),
    ...linkParts,
  }),
  output: uploadRecord,

  async run({ bytes, name, type, metadata, job_id: jobId, ...link }, deps, caller) {
    const of = await uploaderOf(deps, { jobId, bytes, link }, caller)
    await makeRoomFor(bytes, deps)
    const said = readMetadata(metadata)
    const id = deps.ids.fresh('upload')
    const declaredType = toDeclaredType(type ?? said.get('filetype'))
    const upload = { id, ...of, bytes, name: toFileName(name ?? said.get('filename') ?? ''), declaredType }
    if (!(await deps.store.addUpload(upload, limits.fileUploadMs))) throw new Problem('too-many-kept', tooMany)
    const expiresAt = deps.clock.now() + limits.fileUploadMs
    return toUploadRecord({ upload: { ...upload, fileId: undefined, expiresAt }, parts: [] }, undefined)
  },
  responseOf: answer => ({
    status: 201,
    headers: { ...tusHeaders(answer), location: `/v1/uploads/${answer.upload_id}` },
  }),
})

const tooMany =
  `At most ${limits.fileUploadsOfUser} uploads of a user are begun, with ${limits.fileBytesOfUser / 1_024 ** 3} GiB together. ` +
  'End one, or wait until its time is over.'

/** Upload-Metadata: names, each with a value in Base64, between commas. */
const readMetadata = (header = ''): Map<string, string> =>
  new Map(
    header.split(',').map(it => {
      const [name = '', value = ''] = it.trim().split(' ')
      return [name, Buffer.from(value, 'base64').toString('utf8')]
    }),
  )

const uploadId = z.string().max(100)

export const readUpload = operation({
  name: 'readUpload',
  summary: 'Where an upload in parts goes on, and the file once all bytes are here.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ upload_id: uploadId, ...linkParts }),
  output: uploadRecord,

  async run({ upload_id: id, ...link }, deps, caller) {
    const begun = await findUpload(deps, { id, link }, caller)
    return toUploadRecord(begun, await finish(deps, begun))
  },
  responseOf: answer => ({ status: 200, headers: tusHeaders(answer) }),
})

export const goOnUpload = operation({
  name: 'goOnUpload',
  summary:
    'Send the next part of an upload, from the offset that GET says. Of a connection that breaks off, what came is kept. The ' +
    'last part makes the file.',
  caller: 'anyone',
  scope: 'hire',
  input: z.object({
    upload_id: uploadId,
    offset: z.coerce.number().int().min(0).describe('Where the part begins; or the header Upload-Offset'),
    ...linkParts,
    upload,
  }),
  output: uploadRecord,

  async run({ upload_id: id, offset, upload: given, ...link }, deps, caller) {
    const begun = await findUpload(deps, { id, link }, caller)
    await addPart(deps, begun, { offset, bytes: given.bytes })
    const now = (await deps.store.upload(id)) ?? begun
    return toUploadRecord(now, await finish(deps, now))
  },
  responseOf: answer => ({ status: 204, headers: tusHeaders(answer) }),
})

/** Keeps a part. First its bytes, then its row, which decides: of two parts with the same start, one is added. */
const addPart = async (deps: Deps, begun: Begun, { offset, bytes }: { offset: number; bytes: AsyncIterable<Uint8Array> }) => {
  const { files, store, ids } = deps
  const { id: uploadId, bytes: all } = begun.upload
  if (offset !== offsetOf(begun)) throw new Problem('wrong-offset')
  if (offset === all) {
    for await (const _ of atMost(bytes, 0));
    return
  }
  await makeRoomFor(all - offset, deps)
  const id = ids.fresh('file')
  const kept = await files.keep(id, { bytes: atMost(bytes, all - offset), declaredType: undefined, name: '' })
  const part = { uploadId, start: offset, id, bytes: kept.bytes, sealed: kept.sealed }
  const isAdded = kept.bytes > 0 && (await store.addPart(part, limits.fileUploadMs))
  if (!isAdded) await files.remove([id])
  if (!isAdded && kept.bytes > 0) throw new Problem('wrong-offset')
}

/** The bytes that come. A connection that breaks off ends them, because what came is a part. */
async function* atMost(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > most) throw new Problem('body-too-large', `The upload needs ${most} bytes more, and more came.`)
      yield chunk
    }
  } catch (error) {
    if (!(error instanceof Problem && error.type === 'invalid-input')) throw error
  }
}

export const giveUpUpload = operation({
  name: 'giveUpUpload',
  summary: 'Give up an upload in parts. A file that it has become stays.',
  caller: 'anyone',
  scope: 'hire',
  input: z.object({ upload_id: z.string().max(100), ...linkParts }),
  output: z.object({ upload_id: z.string() }),

  async run({ upload_id: id, ...link }, deps, caller) {
    await findUpload(deps, { id, link }, caller)
    await deps.files.remove(await deps.store.endUpload(id, undefined))
    return { upload_id: id }
  },
  responseOf: () => ({ status: 204, headers: {} }),
})

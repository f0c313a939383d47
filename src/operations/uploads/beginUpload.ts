import { z } from 'zod'
import { toFileName } from '../../domain/files/fileName.ts'
import { toDeclaredType } from '../../domain/files/mediaType.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { uploadRecord } from '../../records/file.ts'
import { makeRoomFor } from '../files/keepUpload.ts'
import { operation } from '../operation.ts'
import { linkParts, toUploadRecord, tusHeaders, uploaderOf } from './findUpload.ts'

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

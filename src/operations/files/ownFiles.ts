import { z } from 'zod'
import type { ByteRange } from '../../domain/files/byteRange.ts'
import { Problem } from '../../domain/problem.ts'
import type { FileRow } from '../../ports.ts'
import { fileRecord } from '../../records/file.ts'
import { operation, userOf } from '../operation.ts'
import { linkParts, readerOfLink } from './fileLinks.ts'
import { readRecordOf, toFileRecord } from './fileRecord.ts'
import { findFile } from './findFile.ts'
import { keepUpload, upload } from './keepUpload.ts'

const mostRows = 100

export const listFiles = operation({
  name: 'listFiles',
  summary: 'Your uploaded files, newest first.',
  scope: 'look',
  input: z.object({
    limit: z.coerce.number().int().min(1).max(mostRows).default(50),
    before: z.coerce.number().int().min(1).optional().describe('`next` of the page before'),
  }),
  output: z.object({ files: z.array(fileRecord), next: z.number().nullable().describe('null on the last page') }),

  async run({ limit, before }, { store }, caller) {
    const found = await store.files({ owner: userOf(caller), before, limit: limit + 1 })
    const page = found.slice(0, limit)
    const used = await store.usedFiles(page.map(it => it.id))
    return {
      files: page.map(it => toFileRecord(it, used.has(it.id))),
      next: found.length > limit ? (page.at(-1)?.seq ?? null) : null,
    }
  },
})

export const keepFile = operation({
  name: 'keepFile',
  summary: 'Upload a file, to name it in a task. It goes after seven days, unless a job refers to it.',
  scope: 'hire',
  input: z.object({ name: z.string().optional().describe('Its name; else that of the header Content-Disposition'), upload }),
  output: fileRecord,

  async run({ name, upload: given }, deps, caller) {
    return keepUpload(deps, { upload: given, name, owner: userOf(caller) })
  },
})

export const removeFile = operation({
  name: 'removeFile',
  summary: 'Remove a file of yours that no job refers to.',
  scope: 'hire',
  input: z.object({ file_id: z.string().max(100) }),
  output: z.object({ file_id: z.string(), removed: z.boolean() }),

  async run({ file_id }, { store, files }, caller) {
    const file = await store.file(file_id)
    if (file?.owner !== userOf(caller)) throw new Problem('file-not-found')
    if (await store.removeFile(file_id)) await files.remove([file_id])
    else if ((await store.usedFiles([file_id])).has(file_id)) throw new Problem('file-in-use')
    return { file_id, removed: true }
  },
})

/** A file that its reader gets, and how its bytes are read. */
export type OpenFile = { file: FileRow; open(range?: ByteRange): AsyncIterable<Uint8Array> }
const openFile = z.custom<OpenFile>(it => typeof it === 'object' && it !== null)

const fileId = z.string().max(100)

export const readFile = operation({
  name: 'readFile',
  summary:
    'The bytes of a file, or a range of them. For its owner, the agent whose open job has it, the buyer of what it belongs to, ' +
    'and by an address that one of them made.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ file_id: fileId, ...linkParts }),
  output: openFile,

  async run({ file_id, ...link }, deps, caller) {
    const reader = link.sig === undefined ? caller : await readerOfLink(deps, file_id, link)
    const file = await findFile(deps, file_id, reader)
    return { file, open: range => deps.files.open(file, range) }
  },
})

export const readFileRecord = operation({
  name: 'readFileRecord',
  summary: 'Name, type, size and hash of a file, for those who may read its bytes.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ file_id: fileId }),
  output: fileRecord,

  async run({ file_id }, deps, caller) {
    const file = await findFile(deps, file_id, caller)
    return readRecordOf(deps, file)
  },
})

import { z } from 'zod'
import type { ByteRange } from '../../domain/files/byteRange.ts'
import type { FileRow } from '../../ports.ts'
import { fileRecord } from '../../records/file.ts'
import { operation } from '../operation.ts'
import { linkParts, readerOfLink } from './fileLinks.ts'
import { findFile, readRecordOf } from './fileRecord.ts'

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

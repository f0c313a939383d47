import { z } from 'zod'
import { readDataUrl } from '../../domain/files/dataUrl.ts'
import { isFileId, splitFileLinks, withFileLinks } from '../../domain/files/fileLinks.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { type Caller, type Deps, userOf } from '../operation.ts'
import { findFile } from './findFile.ts'
import { keepUpload } from './keepUpload.ts'

/**
 * The text of a message with links to its files, so that whatever keeps the text keeps them.
 * @param ids files that the message names beside its text
 * @throws Problem file-not-found when the sender may not read one of them, invalid-input when there are too many
 */
export const withFilesOf = async (
  deps: Pick<Deps, 'store'>,
  { text, ids }: { text: string; ids: string[] },
  caller: Caller,
): Promise<string> => {
  const linked = splitFileLinks(text).files.map(it => it.id)
  const all = [...new Set([...linked, ...ids])]
  if (all.length > limits.filesOfJob)
    throw new Problem('invalid-input', `At most ${limits.filesOfJob} files fit one message.`, '/files')
  const files = await Promise.all(all.map(it => findFile(deps, it, caller)))
  const others = files.filter(it => !linked.includes(it.id))
  return withFileLinks(text, others)
}

/** The bytes of a file that stand in a message. */
export type InlineFile = { bytes: Uint8Array; name: string | undefined; type: string | undefined }

/**
 * Keeps the files whose bytes stand in a message.
 * @returns their ids, in order
 * @throws Problem unauthenticated, body-too-large, and those of an upload
 */
export const keepInline = async (deps: Deps, files: readonly InlineFile[], caller: Caller): Promise<string[]> => {
  const size = files.reduce((sum, it) => sum + it.bytes.length, 0)
  if (size > limits.inlineFileBytes || files.length > limits.filesOfJob) throw new Problem('body-too-large', tooLarge)
  const ids: string[] = []
  for (const { bytes, name, type } of files) {
    const upload = { bytes: once(bytes), length: bytes.length, declaredType: type, name: undefined }
    ids.push((await keepUpload(deps, { upload, name, owner: userOf(caller) })).file_id)
  }
  return ids
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

const tooLarge =
  `The files in a message have at most ${limits.inlineFileBytes / 1_024 ** 2} MiB together. ` +
  'Upload a larger one by POST /v1/files, and name it by its id.'

/** Files of a task, as a program hands them in: `file_…`, or `data:TYPE;name=NAME;base64,…`. */
export const givenFiles = z.array(z.string()).optional().describe('Ids or data: URLs')

/**
 * The text of a task with links to its files. Those that come as data URLs are kept first.
 * @throws Problem invalid-input, and those of withFilesOf and keepInline
 */
export const withGivenFiles = async (
  deps: Deps,
  { text, files = [] }: { text: string; files?: string[] | undefined },
  caller: Caller,
): Promise<string> => {
  const read = files.map(it => (isFileId(it) ? it : (readDataUrl(it) ?? refuseFile())))
  const inline = read.flatMap(it => (typeof it === 'string' ? [] : [it]))
  const kept = await keepInline(deps, inline, caller)
  return withFilesOf(deps, { text, ids: read.map(it => (typeof it === 'string' ? it : (kept.shift() ?? ''))) }, caller)
}

const refuseFile = (): never => {
  throw new Problem(
    'invalid-input',
    'A file is the id of an upload, or a data URL in base64: data:TYPE;name=NAME;base64,…',
    '/files',
  )
}

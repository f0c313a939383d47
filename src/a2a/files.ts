import { buffer } from 'node:stream/consumers'
import type { Artifact, Part } from '@a2a-js/sdk'
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors'
import { limits } from '../domain/limits.ts'
import { writeLink } from '../operations/files/fileLinks.ts'
import { type InlineFile, keepInline, withFilesOf } from '../operations/files/filesOfMessage.ts'
import type { Caller, Deps } from '../operations/operation.ts'
import type { FileRow, ListedJob, Run } from '../ports.ts'
import { toArtifact } from './task.ts'

/** A file of a message: its bytes, or the id that its address names. */
type Given = InlineFile | string

/**
 * The files of a message. Their bytes stand in the part, or they have an address of this service: others are not fetched.
 * @throws ContentTypeNotSupportedError
 */
export const readFileParts = (parts: readonly Part[], { settings }: Pick<Deps, 'settings'>): Given[] =>
  parts.flatMap(({ content, filename, mediaType }): Given[] => {
    if (content?.$case === 'raw') return [{ bytes: content.value, name: filename || undefined, type: mediaType }]
    if (content?.$case !== 'url') return []
    const at = URL.canParse(content.value) ? new URL(content.value) : undefined
    const id = at?.href.startsWith(`${settings.publicUrl}/v1/files/`) ? at.pathname.split('/').at(-1) : undefined
    if (!id) throw new ContentTypeNotSupportedError(noFetching)
    return [id]
  })

const noFetching =
  'Addresses of other hosts are not fetched. Send the bytes of a file of at most 1 MiB, ' +
  'or upload it by POST /v1/files and send the address /v1/files/{file_id}.'

/**
 * The text of a message with links to its files. Those that come as bytes are kept first.
 * @throws RequestMalformedError for a caller without a token, and the Problems of an upload
 */
export const withFiles = async (
  deps: Deps,
  { text, files }: { text: string; files: readonly Given[] },
  caller: Caller,
): Promise<string> => {
  if (files.length === 0) return text
  if (!caller.wallet) throw new RequestMalformedError('Files need a token of POST /v1/init.')
  const kept = await keepInline(
    deps,
    files.filter(it => typeof it !== 'string'),
    caller,
  )
  return withFilesOf(deps, { text, ids: files.map(it => (typeof it === 'string' ? it : (kept.shift() ?? ''))) }, caller)
}

/**
 * The deliverable of a job that its user may read, with its files: the bytes of those that fit together, and addresses of the
 * others.
 * @param of.inlineBytes the most bytes of files that stand in the artifact
 */
export const readArtifacts = async (
  deps: Deps,
  run: Pick<Run, 'user'>,
  { job, inlineBytes = limits.inlineFileBytes }: { job: ListedJob | undefined; inlineBytes?: number },
): Promise<Artifact[]> => {
  const artifact = job && toArtifact(job)
  if (!artifact) return []
  const files = job.verdict?.files ? await deps.store.filesOfJob(job.id, 'deliverable') : []
  let left = inlineBytes
  for (const file of files) {
    const isInline = file.bytes <= left
    if (isInline) left -= file.bytes
    artifact.parts.push(isInline ? await toBytes(deps, file) : await toAddress(deps, file, run))
  }
  return [artifact]
}

const partOf = ({ name, mediaType }: FileRow, content: Part['content']): Part => ({
  content,
  filename: name,
  mediaType,
  metadata: undefined,
})

const toBytes = async ({ files }: Deps, file: FileRow): Promise<Part> =>
  partOf(file, { $case: 'raw', value: await buffer(files.open(file)) })

const toAddress = async (deps: Deps, file: FileRow, { user }: Pick<Run, 'user'>): Promise<Part> => {
  const until = deps.clock.now() + limits.fileLinkMs
  return partOf(file, { $case: 'url', value: (await writeLink(deps, { id: file.id, until }, { wallet: user })).url })
}

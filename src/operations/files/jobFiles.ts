import { fileMembersOf } from '../../domain/files/fileMembers.ts'
import { fileIdsIn, type NamedFile } from '../../domain/files/namedFile.ts'
import type { Address } from '../../domain/hex.ts'
import { type Json, type JsonObject, parseJson } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { FileRow, Job, Store } from '../../ports.ts'
import type { DeliveredFile } from '../../records/file.ts'
import type { Deps } from '../operation.ts'
import { writeLink, writeUploadUrl } from './fileLinks.ts'
import { findFile } from './findFile.ts'

const toNamed = (member: string, { id, name, mediaType, bytes, sha256 }: FileRow): NamedFile => ({
  ...{ member, file_id: id, name, media_type: mediaType, bytes, sha256 },
})

/** The files that an input names and its user may read. Others are left out, and no job opens without them. */
export const readInputFiles = async (
  deps: Pick<Deps, 'store'>,
  { schema, input, user }: { schema: JsonObject; input: string; user: Address | undefined },
): Promise<NamedFile[]> => {
  const found = fileIdsIn(schema, parseJson(input)).map(async ({ member, id }) => {
    const file = await findFile(deps, id, { wallet: user }).catch(ifUnknown)
    return file ? [toNamed(member, file)] : []
  })
  return (await Promise.all(found)).flat()
}

const ifUnknown = (error: unknown): undefined => {
  if (!(error instanceof Problem)) throw error
}

/**
 * The files that a deliverable names, all of which were uploaded for its job before.
 * @throws Problem invalid-input with the name that is missing; the lease stays
 */
export const readDeliveredFiles = async (
  store: Pick<Store, 'filesForJob'>,
  { id: jobId, offering }: Pick<Job, 'id' | 'offering'>,
  value: Json | undefined,
): Promise<NamedFile[]> => {
  const ids = fileIdsIn(offering.deliverable, value)
  if (ids.length === 0) return []
  const uploaded = new Map((await store.filesForJob(jobId)).map(it => [it.id, it]))
  return ids.map(({ member, id }) => {
    const file = uploaded.get(id)
    if (file) return toNamed(member, file)
    const name = toQuotable(id, 60)
    const words = `The deliverable names the file “${name}”, which was not uploaded for this job. Upload it first: POST`
    throw new Problem('invalid-input', `${words} /gateway/jobs/${jobId}/files.`, `/deliverable/${member}`)
  })
}

/**
 * The files of a leased job with addresses for its agent, and where it uploads others. The addresses end with the lease, and stand
 * in no record, log or event.
 */
export const linkInputFiles = async (
  deps: Pick<Deps, 'store' | 'files' | 'clock' | 'settings'>,
  job: Pick<Job, 'id' | 'agentId' | 'leaseUntil' | 'attempt' | 'terms' | 'offering'>,
): Promise<{ files?: DeliveredFile[]; upload_url?: string }> => {
  const { files = [] } = job.terms
  const until = job.leaseUntil ?? deps.clock.now() + limits.fileLinkMs
  const takesFiles = fileMembersOf(job.offering.deliverable).length > 0
  const upload_url = takesFiles ? await writeUploadUrl(deps, { id: job.id, attempt: job.attempt, until }) : undefined
  if (files.length === 0) return upload_url === undefined ? {} : { upload_url }
  const agentKey = (await deps.store.agent(job.agentId))?.key
  const linked = files.map(async it => ({
    ...it,
    url: (await writeLink(deps, { id: it.file_id, until }, { wallet: undefined, agentKey })).url,
  }))
  return { ...(upload_url !== undefined && { upload_url }), files: await Promise.all(linked) }
}

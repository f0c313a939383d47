import { type FileMember, fileMembersOf, takingMembersOf } from '../../domain/files/fileMembers.ts'
import type { Measure } from '../../domain/files/fileRules.ts'
import { fileIdsIn, type NamedFile } from '../../domain/files/namedFile.ts'
import type { Address } from '../../domain/hex.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { ifProblem, Problem } from '../../domain/problem.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { FileRow, Job, Store } from '../../ports.ts'
import type { DeliveredFile } from '../../records/file.ts'
import type { Deps } from '../operation.ts'
import { writeLink, writeUploadUrl } from './fileLinks.ts'
import { findFile } from './findFile.ts'
import { measureFile } from './measureFile.ts'

const toNamed = (member: string, { id, name, mediaType, bytes, sha256 }: FileRow): NamedFile => ({
  member,
  file_id: id,
  name,
  media_type: mediaType,
  bytes,
  sha256,
})

/** The files that an input names and its user may read. Others are left out, and no job opens without them. */
export const readInputFiles = async (
  deps: Pick<Deps, 'store'>,
  { schema, input, user }: { schema: JsonObject; input: string; user: Address | undefined },
): Promise<NamedFile[]> => {
  const found = fileIdsIn(schema, parseJson(input)).map(async ({ member, id }) => {
    const file = await findFile(deps, id, { wallet: user }).catch(ifProblem)
    return file ? [toNamed(member, file)] : []
  })
  return (await Promise.all(found)).flat()
}

/**
 * The files that a deliverable names, all of which were uploaded for its job before. They are measured where its schema demands
 * it.
 * @throws Problem invalid-input with the name that is missing; the lease stays
 */
export const readDeliveredFiles = async (
  { store, files }: { store: Pick<Store, 'filesForJob'>; files?: Deps['files'] | undefined },
  { id: jobId, offering }: Pick<Job, 'id' | 'offering'>,
  value: Json | undefined,
): Promise<NamedFile[]> => {
  const ids = fileIdsIn(offering.deliverable, value)
  if (ids.length === 0) return []
  const uploaded = new Map((await store.filesForJob(jobId)).map(it => [it.id, it]))
  const members = new Map(fileMembersOf(offering.deliverable).map(it => [it.name, it]))
  const named = ids.map(async ({ member, id }) => {
    const file = uploaded.get(id)
    const wanted = measuresOf(members.get(member))
    if (file && files && wanted.size > 0)
      return { ...toNamed(member, file), measures: await measureFile({ files }, file, wanted) }
    if (file) return toNamed(member, file)
    const name = toQuotable(id, 60)
    const words = `The deliverable names the file “${name}”, which was not uploaded for this job. Upload it first: POST`
    throw new Problem('invalid-input', `${words} /gateway/jobs/${jobId}/files.`, `/deliverable/${member}`)
  })
  return Promise.all(named)
}

/** What must be read from the bytes of a file. Its size is known. */
const measuresOf = (member: FileMember | undefined): Set<Measure> =>
  new Set(member?.bounds.flatMap(it => (it.measure === 'bytes' ? [] : [it.measure])))

/**
 * The files of a leased job with addresses for its agent, and where it uploads others. An input that expects an address has
 * that of its file. The addresses end with the lease, and stand in no record, log or event.
 */
export const linkInputFiles = async (
  deps: Pick<Deps, 'store' | 'files' | 'clock' | 'settings'>,
  job: Pick<Job, 'id' | 'agentId' | 'leaseUntil' | 'attempt' | 'terms' | 'offering'>,
): Promise<{ files?: DeliveredFile[]; upload_url?: string; job_input?: string }> => {
  const files = job.terms.files ?? (await readJobInputFiles(deps, job))
  const until = job.leaseUntil ?? deps.clock.now() + limits.fileLinkMs
  const takesFiles = fileMembersOf(job.offering.deliverable).length > 0
  const upload_url = takesFiles ? await writeUploadUrl(deps, { id: job.id, attempt: job.attempt, until }) : undefined
  if (files.length === 0) return upload_url === undefined ? {} : { upload_url }
  const agentKey = (await deps.store.agent(job.agentId))?.key
  const linking = files.map(async it => ({
    ...it,
    url: (await writeLink(deps, { id: it.file_id, until }, { wallet: undefined, agentKey })).url,
  }))
  const linked = await Promise.all(linking)
  return { ...(upload_url !== undefined && { upload_url }), files: linked, ...withAddresses(job, linked) }
}

/** The files of a step of a plan, whose input was known only when its job opened. */
const readJobInputFiles = async (
  { store }: Pick<Deps, 'store'>,
  { id, offering, terms }: Pick<Job, 'id' | 'offering' | 'terms'>,
) => {
  const named = fileIdsIn(offering.requirement, parseJson(terms.input))
  if (named.length === 0) return []
  const rows = new Map((await store.filesOfJob(id, 'input')).map(it => [it.id, it]))
  return named.flatMap(it => {
    const file = rows.get(it.id)
    return file ? [toNamed(it.member, file)] : []
  })
}

/** The input with addresses in place of the files of members that expect an address; empty where there are none. */
const withAddresses = (
  { terms, offering }: Pick<Job, 'terms' | 'offering'>,
  linked: readonly DeliveredFile[],
): { job_input?: string } => {
  const input = parseJson(terms.input)
  const urls = new Map<Json, string>(linked.map(it => [it.file_id, it.url]))
  const members = takingMembersOf(offering.requirement).filter(it => it.isAddress && linked.some(file => file.member === it.name))
  if (members.length === 0 || !isObject(input)) return {}
  const toUrl = (it: Json): Json => urls.get(it) ?? it
  const named = members.map(({ name }) => {
    const value = input[name] ?? null
    return [name, Array.isArray(value) ? value.map(toUrl) : toUrl(value)] as const
  })
  return { job_input: JSON.stringify({ ...input, ...Object.fromEntries(named) }) }
}

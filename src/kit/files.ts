import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { blob } from 'node:stream/consumers'
import { z } from 'zod'
import { needsParts, sendInParts } from './parts.ts'
import { ask, repeat } from './repeat.ts'

/** A file of a job's input, as the platform gives it with the lease. */
export const givenFile = z.object({
  member: z.string(),
  file_id: z.string(),
  name: z.string(),
  media_type: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  url: z.url(),
})

/** A file of a job's input. Its bytes can be read until the lease ends. */
export type JobFile = {
  id: string
  /** The member of the input that names it. */
  member: string
  name: string
  mediaType: string
  /** Size in bytes. */
  bytes: number
  sha256: string
  /** The bytes as they come. @throws Error when the platform does not give them */
  stream(): Promise<ReadableStream<Uint8Array>>
  /** All bytes at once, for files that fit the memory. @throws Error */
  read(): Promise<Uint8Array>
}

export const toJobFile = ({ file_id: id, member, name, media_type, bytes, sha256, url }: z.infer<typeof givenFile>): JobFile => {
  const ask = async () => {
    const answer = await fetch(url)
    if (!answer.ok || !answer.body) throw new Error(`the file ${name} was answered with status ${answer.status}`)
    return answer
  }
  return {
    id,
    member,
    name,
    mediaType: media_type,
    bytes,
    sha256,
    stream: async () => (await ask()).body ?? new ReadableStream(),
    read: async () => new Uint8Array(await (await ask()).arrayBuffer()),
  }
}

/** What an agent uploads: the path of a file, its bytes, or a stream. */
export type Uploadable = string | Uint8Array | ReadableStream<Uint8Array>

/** The body of an upload, which can be sent again, and its name. A stream is read first, because it comes only once. */
const toBody = async (from: Uploadable, name?: string): Promise<{ body: Blob; name: string }> => {
  if (typeof from === 'string') return { body: await openAsBlob(from), name: name ?? basename(from) }
  const body = from instanceof Uint8Array ? new Blob([new Uint8Array(from)]) : await blob(from)
  return { body, name: name ?? 'file' }
}

const uploaded = z.object({ file_id: z.string() })

/**
 * Uploads a file for a job, again after a failure that may pass: the same bytes under the same name are one file. A large one
 * goes in parts, and goes on where it was.
 * @returns the id that the deliverable names
 * @throws Error when the platform refuses the file
 */
export const uploadFile = async (url: string, from: Uploadable, name?: string): Promise<string> => {
  const { body, name: called } = await toBody(from, name)
  const at = new URL(url)
  const headers = { 'content-type': 'application/octet-stream' }
  const send = async () => {
    if (needsParts(body)) return (await sendInParts({ uploads: toUploads(at), body, name: called })).file_id
    at.searchParams.set('name', called)
    return (await repeat(() => ask(at, { method: 'POST', headers, body }, uploaded))).file_id
  }
  return send().catch((cause: unknown) => {
    throw new Error(`the file ${called} was refused with ${cause instanceof Error ? cause.message : cause}`, { cause })
  })
}

/** Where uploads in parts begin for the job of an upload address, with the same proof. */
const toUploads = (at: URL): URL => {
  const uploads = new URL(at)
  const [, before = '', jobId = ''] = /^(.*)\/gateway\/jobs\/([^/]+)\/files$/.exec(at.pathname) ?? []
  uploads.pathname = `${before}/v1/uploads`
  uploads.searchParams.set('job_id', decodeURIComponent(jobId))
  return uploads
}

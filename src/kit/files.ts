import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { blob } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

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
    ...{ id, member, name, mediaType: media_type, bytes, sha256 },
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
const refusal = z.object({ detail: z.string().catch('') })
/** Pauses before an upload is repeated, in ms. The same bytes under the same name are one file, so repeating is safe. */
const pausesMs = [500, 2_000, 8_000]

/**
 * Uploads a file for a job, again after a failure that may pass.
 * @returns the id that the deliverable names
 * @throws Error when the platform refuses the file
 */
export const uploadFile = async (url: string, from: Uploadable, name?: string): Promise<string> => {
  const { body, name: called } = await toBody(from, name)
  const at = new URL(url)
  at.searchParams.set('name', called)
  const headers = { 'content-type': 'application/octet-stream' }
  for (const pauseMs of [...pausesMs, undefined]) {
    const answer = await fetch(at, { method: 'POST', headers, body }).catch((error: unknown) => {
      if (pauseMs === undefined) throw error
    })
    const said: unknown = await answer?.json().catch(() => undefined)
    if (answer?.ok) return uploaded.parse(said).file_id
    const mayPass = answer === undefined || answer.status >= 500 || answer.status === 429
    if (!mayPass || pauseMs === undefined)
      throw new Error(
        `the file ${called} was refused with status ${answer?.status}: ${refusal.safeParse(said).data?.detail ?? ''}`,
      )
    await delay(pauseMs)
  }
  throw new Error(`the file ${called} was not taken`)
}

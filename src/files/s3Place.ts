import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { AwsClient } from 'aws4fetch'
import { Problem } from '../domain/problem.ts'
import { createDrafts } from './drafts.ts'
import { type Place, toKey } from './place.ts'

/** A bucket of an object store that speaks S3. Names in it begin with the prefix, which is empty or ends with a slash. */
export type Bucket = {
  endpoint: string
  bucket: string
  prefix: string
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }
}

type S3Options = Bucket & {
  /** Local folder of uploads that are on their way. */
  draftsFolder: string
  /** The folder of this service in the bucket, so that services which share a bucket never sweep each other's files. */
  folderOf(): Promise<string>
}

/** How often a request is repeated that the store answers with 429 or 5xx. Pauses double from 50 ms. */
const retries = 4
const unavailable = (detail: string) => new Problem('files-unavailable', detail)

/**
 * Keeps bytes in a bucket, as `ab/cdef…`. An upload is first written to a draft on the local disk and then sent in one request,
 * with its size and hash: an object is there whole or not at all, and a request that fails can be repeated.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */
export const createS3Place = ({ endpoint, bucket, prefix, draftsFolder, folderOf, ...access }: S3Options): Place => {
  const { accessKeyId, secretAccessKey, sessionToken } = access.credentials
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
  const client = new AwsClient({ ...keys, region: access.region, service: 's3', retries })
  const drafts = createDrafts(draftsFolder)
  const base = `${endpoint.replace(/\/+$/, '')}/${bucket}`
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await client.fetch(`${base}${path}`, init).catch((error: unknown) => {
      throw unavailable(`The store of files does not answer: ${reasonOf(error)}`)
    })
    if (answer.ok || (init.method === 'DELETE' && answer.status === 404)) return answer
    const [code = `status ${answer.status}`] = tagsIn(await answer.text(), 'Code')
    throw unavailable(`The store of files refused a request: ${code.slice(0, 60)}.`)
  }
  const pathOf = async (id: string) => `/${prefix}${await folderOf()}/${toKey(id)}`
  const list = async (query: Record<string, string>) =>
    (await ask(`?${new URLSearchParams({ 'list-type': '2', prefix: `${prefix}${await folderOf()}/`, ...query })}`)).text()
  return {
    async write(id, bytes) {
      const hash = createHash('sha256')
      const draft = await drafts.write(id, hashed(bytes, hash))
      try {
        const headers = { 'x-amz-content-sha256': hash.digest('hex') }
        await ask(await pathOf(id), { method: 'PUT', headers, body: await openAsBlob(draft) })
      } finally {
        await rm(draft, { force: true })
      }
    },
    async *read(id, { start, end }) {
      if (end <= start) return
      const answer = await ask(await pathOf(id), { headers: { range: `bytes=${start}-${end - 1}` } })
      if (answer.status !== 206 || !answer.body) throw unavailable('The store of files sent no part of a file.')
      yield* answer.body
    },
    async remove(id) {
      await ask(await pathOf(id), { method: 'DELETE' })
    },
    async *idsBefore(time) {
      let next: string | undefined = ''
      while (next !== undefined) {
        const text = await list(next === '' ? {} : { 'continuation-token': next })
        yield tagsIn(text, 'Contents').flatMap(it => (isBefore(it, time) ? toIds(it) : []))
        next = tagsIn(text, 'NextContinuationToken')[0]
      }
    },
    removeDrafts: drafts.removeBefore,
    isOnDisk: false,
    freeBytes: drafts.freeBytes,
    async check() {
      await list({ 'max-keys': '1' })
    },
  }
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}

/** What the tags of one name hold in an answer of the store. Its names and times need no unescaping. */
const tagsIn = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, inside = '']) => inside)

const isBefore = (entry: string, time: number) => Date.parse(tagsIn(entry, 'LastModified')[0] ?? '') < time

const toIds = (entry: string): string[] => {
  const [, first, rest] = /\/([0-9a-f]{2})\/([0-9a-f]{30})$/.exec(tagsIn(entry, 'Key')[0] ?? '') ?? []
  return first === undefined ? [] : [`file_${first}${rest}`]
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection'
}

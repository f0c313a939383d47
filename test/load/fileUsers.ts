// Users who send and fetch files at once, in a process of its own priority. It reads its work as JSON from standard input, and
// prints one JSON object.
import { createHash, randomBytes } from 'node:crypto'
import { setPriority } from 'node:os'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { crowd } from './measures.ts'

const { url, tokens, nice, megabytes } = z
  .object({ url: z.string(), tokens: z.array(z.string()), nice: z.number(), megabytes: z.number() })
  .parse(await json(process.stdin))
setPriority(nice)

/** The files of one user, as shares of its bytes, with the first bytes of their kinds. */
const mix: [share: number, head: string][] = [
  [0.5, '%PDF-1.7\n'],
  [0.25, '\x89PNG\r\n\x1a\n'],
  [0.15, 'RIFF\x24\0\0\0WAVEfmt '],
  [0.05, 'PK\x03\x04'],
  [0.04, 'name,size\n'],
  [0.009, '{"a": 1}\n'],
  [0.001, 'text\n'],
]
const bytesOfUser = (megabytes * 1_024 ** 2) / tokens.length
/** Transfers of one user under way. */
const atOnce = 3
const filling = randomBytes(Math.ceil(bytesOfUser))
const kept = z.object({ file_id: z.string(), bytes: z.number(), sha256: z.string() })
const counts = { uploads: 0, downloads: 0, wrong: 0, refused: 0, bytes: 0 }

const goBothWays = async (token: string, [share, head]: (typeof mix)[number]) => {
  const headers = { authorization: `Bearer ${token}` }
  const start = Buffer.concat([Buffer.from(head, 'latin1'), randomBytes(32)])
  const body = Buffer.concat([start, filling.subarray(0, Math.round(bytesOfUser * share))])
  const expected = createHash('sha256').update(body).digest('hex')
  const sent = await fetch(`${url}/v1/files`, { method: 'POST', headers, body })
  if (!sent.ok) {
    counts.refused += 1
    return
  }
  const file = kept.parse(await sent.json())
  counts.uploads += 1
  counts.bytes += file.bytes
  const hash = createHash('sha256')
  const answer = await fetch(`${url}/v1/files/${file.file_id}`, { headers })
  for await (const chunk of answer.body ?? []) hash.update(chunk)
  counts.downloads += 1
  if (file.sha256 !== expected || hash.digest('hex') !== expected) counts.wrong += 1
}

/** A connection that broke off. Its file counts as refused, and the others go on. */
const broken = () => {
  counts.refused += 1
}

await Promise.all(
  tokens.map(token => crowd({ count: mix.length, atOnce }, at => goBothWays(token, mix[at] ?? [0, '']).catch(broken))),
)
process.stdout.write(JSON.stringify(counts))

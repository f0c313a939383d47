import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import { openSession } from '../../src/cli/session.ts'
import { percentile, round } from './measures.ts'
import { startServiceProcess } from './serviceProcess.ts'

type Options = { megabytes: number; rounds: number; say: (line: string) => void }
/** `get` downloads what was uploaded last. */
type Door = { upload(bytes: Uint8Array<ArrayBuffer>): Promise<void>; get(signal?: AbortSignal): Promise<Response> }
type Times = { up: number[]; down: number[]; first: number[] }

const mib = 1_024 ** 2
/** Downloads of each server that are broken off after their first bytes. */
const firstBytes = 100

const note = (times: Times, { up, down }: { up: number; down: number }): void => {
  times.up.push(up)
  times.down.push(down)
}

/** MB a second and the time to the first byte of uploads and downloads, beside a bare server that hashes and encrypts. */
export const benchFiles = async ({ megabytes, rounds, say }: Options) => {
  const service = await startServiceProcess({ env: { MAX_FILE_MB: `${megabytes}` } })
  const bare = fork(new URL('bareFiles.ts', import.meta.url), [service.dir])
  try {
    const [{ port }] = z
      .tuple([z.object({ port: z.number() })])
      .rest(z.unknown())
      .parse(await once(bare, 'message'))
    const { token } = await openSession({ url: service.url, file: join(service.dir, 'bench-user.json') })
    const doors = { ours: toOurs(service.url, token), bare: toBare(`http://127.0.0.1:${port}/`) }
    const times = { ours: { up: [], down: [], first: [] } as Times, bare: { up: [], down: [], first: [] } as Times }
    // The first round warms both up.
    for (let round = 0; round <= rounds; round += 1)
      for (const name of ['bare', 'ours'] as const) {
        const it = await measure(doors[name], megabytes)
        say(`${name}: up ${it.up} MB/s, down ${it.down} MB/s`)
        if (round > 0) note(times[name], it)
      }
    for (let at = 0; at < firstBytes; at += 1)
      for (const name of ['bare', 'ours'] as const) times[name].first.push(await toFirstByte(doors[name]))
    const median = (name: 'ours' | 'bare', part: keyof Times) => percentile(times[name][part], 0.5)
    const beside = (part: keyof Times) => ({
      ours: median('ours', part),
      bare: median('bare', part),
      ratio: round(median('ours', part) / median('bare', part)),
    })
    return {
      ...{ megabytes, rounds },
      upMbPerSecond: beside('up'),
      downMbPerSecond: beside('down'),
      firstByteMs: beside('first'),
      peakRssMb: await service.peakRssMb(),
    }
  } finally {
    bare.kill()
    await service.stop()
  }
}

const toOurs = (url: string, token: string): Door => {
  const headers = { authorization: `Bearer ${token}` }
  let id = ''
  return {
    async upload(body) {
      const answer = await fetch(`${url}/v1/files`, { method: 'POST', headers, body })
      id = z.object({ file_id: z.string() }).parse(await answer.json()).file_id
    },
    get: signal => fetch(`${url}/v1/files/${id}`, { headers, ...(signal && { signal }) }),
  }
}

const toBare = (url: string): Door => ({
  upload: async body => void (await (await fetch(url, { method: 'POST', body })).text()),
  get: signal => fetch(url, { ...(signal && { signal }) }),
})

const toFirstByte = async ({ get }: Door): Promise<number> => {
  const enough = new AbortController()
  const begun = performance.now()
  const reader = (await get(enough.signal)).body?.getReader()
  await reader?.read()
  const ms = performance.now() - begun
  enough.abort()
  return ms
}

const measure = async (door: Door, megabytes: number) => {
  const bytes = new Uint8Array(randomBytes(megabytes * mib))
  const begun = performance.now()
  await door.upload(bytes)
  const uploaded = performance.now()
  let size = 0
  for await (const chunk of (await door.get()).body ?? []) size += chunk.length
  if (size !== bytes.length) throw new Error(`Of ${bytes.length} bytes ${size} came back.`)
  const seconds = (ms: number) => ms / 1_000
  return {
    up: round(megabytes / seconds(uploaded - begun)),
    down: round(megabytes / seconds(performance.now() - uploaded)),
  }
}

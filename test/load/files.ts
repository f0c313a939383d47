import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import { openSession } from '../../src/cli/session.ts'
import { percentile, round } from './measures.ts'
import { startServiceProcess } from './serviceProcess.ts'

type Options = { megabytes: number; rounds: number; say: (line: string) => void }
type Door = { upload(bytes: Uint8Array<ArrayBuffer>): Promise<string>; get(id: string): Promise<Response> }
type Times = { up: number[]; down: number[]; first: number[] }

const mib = 1_024 ** 2

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
        say(`${name}: up ${it.up} MB/s, down ${it.down} MB/s, first byte ${it.first} ms`)
        if (round > 0) for (const part of ['up', 'down', 'first'] as const) times[name][part].push(it[part])
      }
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
  return {
    async upload(body) {
      const answer = await fetch(`${url}/v1/files`, { method: 'POST', headers, body })
      return z.object({ file_id: z.string() }).parse(await answer.json()).file_id
    },
    get: id => fetch(`${url}/v1/files/${id}`, { headers }),
  }
}

const toBare = (url: string): Door => ({
  upload: async body => (await fetch(url, { method: 'POST', body })).text(),
  get: () => fetch(url),
})

const measure = async (door: Door, megabytes: number) => {
  const bytes = new Uint8Array(randomBytes(megabytes * mib))
  const begun = performance.now()
  const id = await door.upload(bytes)
  const uploaded = performance.now()
  const answer = await door.get(id)
  let first = 0
  let size = 0
  for await (const chunk of answer.body ?? []) {
    first ||= performance.now() - uploaded
    size += chunk.length
  }
  if (size !== bytes.length) throw new Error(`Of ${bytes.length} bytes ${size} came back.`)
  const seconds = (ms: number) => ms / 1_000
  return {
    up: round(megabytes / seconds(uploaded - begun)),
    down: round(megabytes / seconds(performance.now() - uploaded)),
    first: round(first),
  }
}

import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { endOrphan } from '../../src/chain/embedded/devnode/orphan.ts'
import { limits } from '../../src/domain/limits.ts'
import { openSharedChain } from '../faults/processes/sharedChain.ts'
import { readerDir } from '../reader.ts'
import { openUser, until } from '../service.ts'
import { newDatabase, server } from '../store/server.ts'
import { copySchema } from '../store/template.ts'
import { filesUnder } from './filesUnder.ts'
import { startS3 } from './s3.ts'
import { getFile } from './wire.ts'

const listed = z.object({ files: z.array(z.object({ file_id: z.string(), bytes: z.number(), sha256: z.string() })) })
const bytes = randomBytes(600_000)
/** Other bytes of the same size, because the same bytes under the same name are one file. */
const newBytes = () => randomBytes(bytes.length)

/** Starts a service in a process of its own. */
const startProcess = async (env: Record<string, string>) => {
  const child = fork(new URL('serve.ts', import.meta.url), { env: { ...process.env, READER_DIR: readerDir, ...env } })
  const ended = once(child, 'exit')
  // A process that outlives a failed test would lead the workers of the next one, and one that is killed leaves its chain.
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    await endOrphan(join(env.DATA_DIR ?? '', 'chain'))
  })
  const [url] = z
    .tuple([z.string()])
    .rest(z.unknown())
    .parse(await Promise.race([once(child, 'message'), ended.then(() => ['ended early'])]))
  return {
    url,
    ended,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
type Running = Awaited<ReturnType<typeof startProcess>>

const newFolder = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'files-kill-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await copySchema(join(dir, 'market.db'))
  return dir
}

const send = (url: string, token: string, body: Uint8Array | ReadableStream) =>
  fetch(`${url}/v1/files?name=a.bin`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: body instanceof Uint8Array ? new Uint8Array(body) : body,
    duplex: 'half',
  }).catch(() => undefined)

/** Reads every file that a service lists. Each must be whole. @returns how many */
const readWhole = async (url: string, token: string): Promise<number> => {
  const answer = await fetch(`${url}/v1/files?limit=100`, { headers: { authorization: `Bearer ${token}` } })
  const { files } = listed.parse(await answer.json())
  for (const it of files) {
    const read = Buffer.from(await (await getFile({ url, token }, it.file_id)).arrayBuffer())
    expect([read.length, createHash('sha256').update(read).digest('hex')]).toEqual([it.bytes, it.sha256])
    expect(read.length).toBe(bytes.length)
  }
  return files.length
}

const onDisk = (dir: string) => filesUnder(join(dir, 'files'))

const ofDisk = ['open', 'rename', 'addFile'].flatMap(it => [`before ${it}`, `after ${it}`])

test('a service that is killed at any step of an upload serves no half file, and its next start leaves nothing over', async () => {
  const dir = await newFolder()
  let whole = 0
  for (const step of [...ofDisk, 'never']) {
    const at = await startProcess({ DATA_DIR: dir, KILL_AT: step })
    const { token } = await openUser(at.url, join(dir, 'ada.json'))
    expect([await readWhole(at.url, token), (await onDisk(dir)).length], `at the start that is followed by ${step}`).toEqual([
      whole,
      whole,
    ])
    const answer = await send(at.url, token, newBytes())
    expect(answer?.status, step).toBe(step === 'never' ? 201 : undefined)
    if (step === 'after addFile' || step === 'never') whole += 1
    if (step === 'never') expect(await readWhole(at.url, token)).toBe(whole)
    await (step === 'never' ? at.kill() : at.ended)
  }
}, 300_000)

test('a service that is killed while bytes come serves nothing of them, and leaves nothing on the disk', async () => {
  const dir = await newFolder()
  const dying = await startProcess({ DATA_DIR: dir })
  const { token } = await openUser(dying.url, join(dir, 'ada.json'))
  const hanging = send(dying.url, token, new ReadableStream({ start: to => to.enqueue(new Uint8Array(bytes)) }))
  await until('a draft with bytes', async () => {
    const drafts = await readdir(join(dir, 'files/drafts')).catch(() => [])
    return drafts[0] && (await stat(join(dir, 'files/drafts', drafts[0]))).size > 0
  })
  await dying.kill()
  expect(await hanging).toBeUndefined()
  const next = await startProcess({ DATA_DIR: dir })
  expect(await readWhole(next.url, (await openUser(next.url, join(dir, 'ada.json'))).token)).toBe(0)
  expect(await onDisk(dir)).toEqual([])
  await next.kill()
})

const begun = z.object({ upload_id: z.string(), offset: z.number(), file: z.object({ file_id: z.string() }).nullable() })
const ofParts = ['before addPart', 'after addPart', 'before addFile', 'after addFile', 'after endUpload']
const half = bytes.length / 2

type Asked = { method?: string; path?: string; offset?: number; body?: Uint8Array<ArrayBuffer> }
/** Asks about uploads in parts; undefined from a service that has died. */
const askFor = (url: string, token: string, { method = 'GET', path = '', offset = 0, body }: Asked = {}) => {
  const headers = { authorization: `Bearer ${token}`, 'upload-length': String(bytes.length), 'upload-offset': String(offset) }
  return fetch(`${url}/v1/uploads${path}`, { method, headers, ...(body && { body }) }).catch(() => undefined)
}

/** Sends two parts to a service that is killed meanwhile, and goes on with what `toNext` starts until the file is there. */
const goOnAfterKill = async (dying: Running, token: string, toNext: () => Promise<Running>): Promise<Running> => {
  const content = newBytes()
  const { upload_id } = begun.parse(await (await askFor(dying.url, token, { method: 'POST' }))?.json())
  const path = `/${upload_id}`
  const sendPart = (url: string, offset: number) =>
    askFor(url, token, { method: 'PATCH', path, offset, body: new Uint8Array(content.subarray(offset, offset + half)) })
  if (await sendPart(dying.url, 0)) expect(await sendPart(dying.url, half)).toBeUndefined()
  await dying.ended
  const next = await toNext()
  const read = async () => begun.parse(await (await askFor(next.url, token, { path }))?.json())
  let now = await read()
  expect(now.offset % half).toBe(0)
  while (!now.file) {
    expect((await sendPart(next.url, now.offset))?.status).toBe(204)
    now = await read()
  }
  const file = Buffer.from(await (await getFile({ url: next.url, token }, now.file.file_id)).arrayBuffer())
  expect(file.equals(content)).toBe(true)
  return next
}

test('an upload in parts goes on after its service was killed at any step, and its next start leaves nothing over', async () => {
  const dir = await newFolder()
  let whole = 0
  for (const step of ofParts) {
    const dying = await startProcess({ DATA_DIR: dir, KILL_AT: step })
    const { token } = await openUser(dying.url, join(dir, 'ada.json'))
    expect([await readWhole(dying.url, token), (await onDisk(dir)).length], `before ${step}`).toEqual([whole, whole])
    const next = await goOnAfterKill(dying, token, () => startProcess({ DATA_DIR: dir }))
    whole += 1
    await next.kill()
  }
}, 300_000)

describe.skipIf(!server)('two services with one bucket and one database', () => {
  let bucket: Awaited<ReturnType<typeof startS3>>
  let env: Record<string, string>
  const closers: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const database = await newDatabase()
    closers.push(database.remove)
    const chain = await openSharedChain(database.place.url)
    closers.push(chain.stop)
    bucket = await startS3()
    closers.push(bucket.stop)
    env = { ...chain.env, ...bucket.env }
  }, 120_000)
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })

  let filesInBucket = 0
  /** Starts services later in time, until neither the bucket nor their folders have more than the files of these tests. */
  const untilOnlyFiles = async (dirs: readonly string[]) => {
    const AHEAD_MS = String(2 * limits.fileDraftMs)
    const later = await Promise.all(dirs.map(dir => startProcess({ ...env, DATA_DIR: dir, AHEAD_MS })))
    await until('nothing but whole files', async () => {
      const drafts = await Promise.all(dirs.map(onDisk))
      return (await bucket.objects()).length === filesInBucket && drafts.flat().length === 0
    })
    await Promise.all(later.map(it => it.kill()))
  }

  test('what one takes the other serves and removes', async () => {
    const [here, there] = [
      await startProcess({ ...env, DATA_DIR: await newFolder() }),
      await startProcess({ ...env, DATA_DIR: await newFolder() }),
    ]
    const dir = await newFolder()
    const { token } = await openUser(here.url, join(dir, 'ada.json'))
    const record = z.object({ file_id: z.string() }).parse(await (await send(here.url, token, bytes))?.json())
    const read = await getFile({ url: there.url, token }, record.file_id, { range: 'bytes=70000-70009' })
    expect([read.status, Buffer.from(await read.arrayBuffer())]).toEqual([206, bytes.subarray(70_000, 70_010)])
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${there.url}/v1/files/${record.file_id}`, { method: 'DELETE', headers })).status).toBe(200)
    expect((await getFile({ url: here.url, token }, record.file_id)).status).toBe(404)
    expect(await bucket.objects()).toEqual([])
    await Promise.all([here.kill(), there.kill()])
  })

  test.each(['before open', 'before PUT', 'after PUT', 'before addFile'])(
    'of an upload to one that is killed %s, the other serves nothing, and nothing is left over',
    async step => {
      const [dir, home] = [await newFolder(), await newFolder()]
      const there = await startProcess({ ...env, DATA_DIR: await newFolder() })
      const dying = await startProcess({ ...env, DATA_DIR: dir, KILL_AT: step })
      const { token } = await openUser(dying.url, join(home, 'ada.json'))
      expect(await send(dying.url, token, bytes)).toBeUndefined()
      await dying.ended
      expect(await readWhole(there.url, token)).toBe(0)
      await there.kill()
      await untilOnlyFiles([dir])
    },
  )

  test.each(ofParts)('an upload in parts to one that is killed %s goes on at the other', async step => {
    const [dir, home] = [await newFolder(), await newFolder()]
    const there = await startProcess({ ...env, DATA_DIR: await newFolder() })
    const dying = await startProcess({ ...env, DATA_DIR: dir, KILL_AT: step })
    const { token } = await openUser(dying.url, join(home, 'ada.json'))
    await goOnAfterKill(dying, token, async () => there)
    expect(await readWhole(there.url, token)).toBe(1)
    await there.kill()
    filesInBucket += 1
    await untilOnlyFiles([dir])
  })

  test('of uploads and downloads while one or the other is killed, none is lost and none is half', async () => {
    const dirs = [await newFolder(), await newFolder()] as const
    const start = (which: 0 | 1) => startProcess({ ...env, DATA_DIR: dirs[which] })
    const running = [await start(0), await start(1)]
    const at = (which: 0 | 1) => running[which] ?? expect.fail()
    const { token } = await openUser(at(0).url, join(await newFolder(), 'ada.json'))
    const kept = new Set<string>()
    const sendTo = async (which: 0 | 1) => {
      const answer = await send(at(which).url, token, newBytes())
      if (answer?.status === 201) kept.add(z.object({ file_id: z.string() }).parse(await answer.json()).file_id)
    }
    for (const [round, dying] of ([0, 1, 0, 1, 0, 1] as const).entries()) {
      const before = kept.size
      const sending = ([0, 1, 0, 1] as const).map(sendTo)
      const reading = [...kept].slice(0, 2).map(id => getFile({ url: at(dying).url, token }, id).then(it => it.arrayBuffer()))
      const ended = Promise.allSettled([...sending, ...reading])
      // Another moment in each round: after the first answer, the second and so on.
      await until('files of this round', async () => kept.size > before + (round % 3))
      await at(dying).kill()
      await ended
      const other = dying === 0 ? 1 : 0
      for (const id of kept) expect((await getFile({ url: at(other).url, token }, id)).status).toBe(200)
      // A file whose answer was lost may be there too, and is whole.
      expect(await readWhole(at(other).url, token)).toBeGreaterThanOrEqual(kept.size)
      running[dying] = await start(dying)
    }
    expect(kept.size).toBeGreaterThanOrEqual(12)
    const listed = await readWhole(at(0).url, token)
    expect(await readWhole(at(1).url, token)).toBe(listed)
    await Promise.all([at(0).kill(), at(1).kill()])
    filesInBucket += listed
    await untilOnlyFiles(dirs)
  }, 300_000)
})

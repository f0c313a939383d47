import { type ChildProcess, fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import { openSharedChain } from '../faults/shared/sharedChain.ts'
import { readerDir } from '../reader.ts'
import { openUser, until } from '../service.ts'
import { newDatabase, server } from '../store/server.ts'
import { copySchema } from '../store/template.ts'
import { startS3 } from './s3.ts'
import { getFile } from './wire.ts'

const listed = z.object({ files: z.array(z.object({ file_id: z.string(), bytes: z.number(), sha256: z.string() })) })
const bytes = randomBytes(600_000)

const running = new Set<ChildProcess>()
/** Starts a service in a process of its own. */
const startProcess = async (env: Record<string, string>) => {
  const child = fork(new URL('serve.ts', import.meta.url), { env: { ...process.env, READER_DIR: readerDir, ...env } })
  running.add(child)
  const ended = once(child, 'exit').then(() => running.delete(child))
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
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

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

const onDisk = async (dir: string) =>
  (await readdir(join(dir, 'files'), { recursive: true, withFileTypes: true }).catch(() => [])).filter(it => it.isFile())

const ofDisk = ['mkdir', 'writeFile', 'rename', 'open', 'addFile'].flatMap(it => [`before ${it}`, `after ${it}`])

test.each(ofDisk)(
  'a service that is killed %s serves no half file, and nothing is left over after its next start',
  async step => {
    const dir = await newFolder()
    const dying = await startProcess({ DATA_DIR: dir, KILL_AT: step })
    const { token } = await openUser(dying.url, join(dir, 'ada.json'))
    expect(await send(dying.url, token, bytes)).toBeUndefined()
    await dying.ended
    const next = await startProcess({ DATA_DIR: dir })
    const ada = await openUser(next.url, join(dir, 'ada.json'))
    expect(await readWhole(next.url, ada.token)).toBe(step === 'after addFile' ? 1 : 0)
    expect(await onDisk(dir)).toHaveLength(step === 'after addFile' ? 1 : 0)
    expect((await send(next.url, ada.token, bytes))?.status).toBe(201)
    expect(await readWhole(next.url, ada.token)).toBe(1)
    await next.kill()
  },
)

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
const ofParts = ['addPart', 'addFile', 'endUpload'].flatMap(it => [`before ${it}`, `after ${it}`])

test.each(ofParts)('an upload in parts goes on after its service was killed %s', async step => {
  const dir = await newFolder()
  const ask = async (url: string, token: string, method: string, path = '', body?: Uint8Array, offset = 0) => {
    const headers = { authorization: `Bearer ${token}`, 'upload-length': String(bytes.length), 'upload-offset': String(offset) }
    const sent = body && { body: new Uint8Array(body) }
    return fetch(`${url}/v1/uploads${path}`, { method, headers, ...sent }).catch(() => undefined)
  }
  let at = await startProcess({ DATA_DIR: dir, KILL_AT: step })
  let { token } = await openUser(at.url, join(dir, 'ada.json'))
  const { upload_id } = begun.parse(await (await ask(at.url, token, 'POST'))?.json())
  for (const offset of [0, 300_000]) {
    const part = await ask(at.url, token, 'PATCH', `/${upload_id}`, bytes.subarray(offset, offset + 300_000), offset)
    if (!part) break
  }
  await at.ended
  at = await startProcess({ DATA_DIR: dir })
  ;({ token } = await openUser(at.url, join(dir, 'ada.json')))
  const read = async () => begun.parse(await (await ask(at.url, token, 'GET', `/${upload_id}`))?.json())
  let now = await read()
  expect(now.offset % 300_000).toBe(0)
  while (!now.file) {
    const rest = bytes.subarray(now.offset, now.offset + 300_000)
    expect((await ask(at.url, token, 'PATCH', `/${upload_id}`, rest, now.offset))?.status).toBe(204)
    now = await read()
  }
  expect(await readWhole(at.url, token)).toBe(1)
  await at.kill()
  // What the killed process kept without a row goes at the start.
  const last = await startProcess({ DATA_DIR: dir })
  expect(await onDisk(dir)).toHaveLength(1)
  await last.kill()
})

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

  test.each(['before writeFile', 'before PUT', 'after PUT', 'before addFile'])(
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
      const later = await startProcess({ ...env, DATA_DIR: dir, AHEAD_MS: String(2 * limits.fileDraftMs) })
      await until(
        'the bucket and the disk to be empty',
        async () => (await bucket.objects()).length + (await onDisk(dir)).length === 0,
      )
      await later.kill()
    },
  )
})

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { readerDir } from '../reader.ts'
import { openUser, until } from '../service.ts'
import { copySchema } from '../store/template.ts'

const listed = z.object({ files: z.array(z.object({ file_id: z.string(), bytes: z.number(), sha256: z.string() })) })
const pieceBytes = 256 * 1_024
const pieces = 4
/** Bytes that may still be on their way between the request and the disk: a frame, and what streams hold. */
const underWayBytes = 192 * 1_024

/** Waits until a draft with so many bytes is on the disk. */
const untilWritten = (dir: string, bytes: number) =>
  until('a draft', async () => {
    const names = await readdir(join(dir, 'files/drafts')).catch(() => [])
    const sizes = await Promise.all(
      names.map(async it => (await stat(join(dir, 'files/drafts', it)).catch(() => ({ size: 0 }))).size),
    )
    return sizes.some(it => it >= bytes)
  })

test('a service that is killed anywhere in an upload serves no half file, and leaves nothing of it on the disk', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'files-kill-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await copySchema(join(dir, 'market.db'))
  let whole = 0
  for (let killedAfter = 0; killedAfter <= pieces + 1; killedAfter += 1) {
    const child = fork(new URL('serve.ts', import.meta.url), { env: { ...process.env, DATA_DIR: dir, READER_DIR: readerDir } })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [url] = z
      .tuple([z.string()])
      .rest(z.unknown())
      .parse(await once(child, 'message'))
    const user = await openUser(url, join(dir, 'ada.json'))
    let sent = 0
    const body = new ReadableStream({
      async pull(controller) {
        if (sent > 0 && sent <= pieces) await untilWritten(dir, Math.max(0, sent * pieceBytes - underWayBytes))
        if (sent === killedAfter) child.kill('SIGKILL')
        if (sent === pieces) controller.close()
        else controller.enqueue(new Uint8Array(pieceBytes).fill(killedAfter * 16 + sent))
        sent += 1
      },
    })
    const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/octet-stream' }
    const answer = await fetch(`${url}/v1/files`, { method: 'POST', headers, body, duplex: 'half' }).catch(() => undefined)
    if (answer?.status === 201) whole += 1
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  const config = { ...readConfig({ PORT: '0', DATA_DIR: dir, LOG_LEVEL: 'error' }), readerDir }
  const service = await startService({ config })
  onTestFinished(service.stop)
  const user = await openUser(service.url, join(dir, 'ada.json'))
  const { files } = listed.parse(await user.client.get('/v1/files?limit=100'))
  expect(whole).toBe(1)
  expect(files.length).toBeGreaterThanOrEqual(whole)
  for (const it of files) {
    const answer = await fetch(`${service.url}/v1/files/${it.file_id}`, { headers: { authorization: `Bearer ${user.token}` } })
    expect((await answer.arrayBuffer()).byteLength).toBe(it.bytes)
    expect(it.bytes).toBe(pieces * pieceBytes)
  }
  const onDisk = (await readdir(join(dir, 'files'), { recursive: true, withFileTypes: true })).filter(it => it.isFile())
  expect(onDisk.length).toBe(files.length)
})

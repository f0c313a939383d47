import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, rm, statfs, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { startTestService } from '../service.ts'
import { getFile, refusalOf, sendFile, upload } from './wire.ts'

const run = promisify(execFile)

/** A disk of its own: a file system in a file, which root alone may mount. Undefined where that is not possible. */
const mountDisk = async (bytes: number) => {
  const dir = await mkdtemp(join(tmpdir(), 'full-disk-'))
  const [image, disk] = [join(dir, 'image'), join(dir, 'disk')]
  try {
    await writeFile(image, '')
    await truncate(image, bytes)
    await run('mkfs.ext4', ['-q', '-m', '0', image])
    await mkdir(disk)
    await run('mount', ['-o', 'loop', image, disk])
  } catch {
    await rm(dir, { recursive: true, force: true })
    return undefined
  }
  return {
    disk,
    async remove() {
      await run('umount', [disk])
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const mounted = await mountDisk(limits.fileSpareBytes + 200 * 1_024 * 1_024)
afterAll(() => mounted?.remove())

test.skipIf(!mounted)(
  'a disk that becomes full during an upload says so, loses nothing, and takes files again with room',
  async () => {
    const disk = mounted?.disk ?? expect.fail()
    const market = await startTestService({ env: { DATA_DIR: disk, LOG_LEVEL: 'silent' } })
    try {
      const { token } = await market.user('ada')
      const at = { url: market.url, token }
      const kept = { bytes: randomBytes(300_000), name: 'kept.bin' }
      const { file_id } = await upload(at, kept)

      // Another program takes the rest of the disk while bytes come.
      const { bavail, bsize } = await statfs(disk)
      const other = await open(join(disk, 'other'), 'w')
      const chunk = randomBytes(1_024 * 1_024)
      let sent = 0
      const body = new ReadableStream({
        async pull(controller) {
          if (sent === 2) await run('fallocate', ['-l', String(bavail * bsize - 4 * chunk.length), join(disk, 'other')])
          if (sent === 20) return controller.close()
          controller.enqueue(chunk)
          sent += 1
        },
      })
      const headers = { authorization: `Bearer ${token}` }
      const refused = await fetch(`${market.url}/v1/files`, { method: 'POST', headers, body, duplex: 'half' })
      expect(await refusalOf(refused)).toMatchObject({ status: 503, code: 'storage-full' })
      expect(await readdir(join(disk, 'files/drafts'))).toEqual([])
      expect(await refusalOf(await sendFile(at, { bytes: chunk }))).toMatchObject({ status: 503, code: 'storage-full' })
      const read = Buffer.from(await (await getFile(at, file_id)).arrayBuffer())
      expect(read.equals(kept.bytes)).toBe(true)

      await other.truncate(0)
      await other.close()
      expect((await sendFile(at, { bytes: chunk })).status).toBe(201)
    } finally {
      await market.stop()
    }
  },
  60_000,
)

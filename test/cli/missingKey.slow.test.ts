import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSealer, keyIdOfSealed } from '../../src/chain/signing/secrets.ts'
import { readConfig } from '../../src/config.ts'
import { type Service, startService } from '../../src/service.ts'
import { get } from '../http/wire.ts'
import { openUser } from '../service.ts'

const idOf = (key: Uint8Array) => keyIdOfSealed(createSealer(key).seal('text', 'test'))

test('a service with a missing or different master key does not start, names the id it needs, and creates no key', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-missing-key-'))
  const services: Service[] = []
  const start = async () => {
    const service = await startService({ config: readConfig({ PORT: '0', DATA_DIR: dir, LOG_LEVEL: 'silent' }) })
    services.push(service)
    return service
  }
  try {
    const file = join(dir, 'master.key')
    const first = await start()
    const { token } = await openUser(first.url, join(dir, 'ada.json'))
    const key = await readFile(file, 'utf8')
    const keyId = idOf(Buffer.from(key.trim(), 'hex'))
    await first.stop()

    await rm(file)
    const missing = expect.stringContaining(`sealed with master key ${keyId}`)
    await expect(start()).rejects.toMatchObject({ reason: 'missing-master-key', message: missing })
    expect(await readdir(dir)).not.toContain('master.key')

    const other = randomBytes(32)
    await writeFile(file, other.toString('hex'))
    const wrong = expect.stringContaining(`sealed with master key ${keyId}, and the given one is ${idOf(other)}`)
    await expect(start()).rejects.toMatchObject({ reason: 'wrong-master-key', message: wrong })

    await writeFile(file, key)
    const again = await start()
    expect(await get(again.url, '/v1/wallets/me', token)).toMatchObject({ status: 200 })
  } finally {
    for (const service of services) await service.stop()
    await rm(dir, { recursive: true, force: true })
  }
})

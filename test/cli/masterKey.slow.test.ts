import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { filesUnder } from '../files/filesUnder.ts'
import { getFile, upload } from '../files/wire.ts'
import { freshKey } from '../hire/market.ts'
import { get, post } from '../http/wire.ts'
import { signIn } from '../identity/wallets.ts'
import { until } from '../service.ts'
import { start } from './program.ts'

const account = privateKeyToAccount(freshKey().privateKey)
let dir: string
let port: number
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'marketplace-key-'))
  await chmod(dir, 0o755)
  const probe = createServer()
  await new Promise<void>(done => probe.listen(0, '127.0.0.1', done))
  port = z.object({ port: z.number() }).parse(probe.address()).port
  await new Promise(done => probe.close(done))
})
afterAll(() => rm(dir, { recursive: true }))

const env = () => ({ PORT: String(port), DATA_DIR: dir, LOCAL_WORLD: 'false', LOG_LEVEL: 'error' })
const url = () => `http://127.0.0.1:${port}`

/** Runs a service of the command line for the duration of some work. */
const served = async <T>(work: () => Promise<T>): Promise<T> => {
  const { child, ended } = start(['start'], { env: env() })
  try {
    await until('the service', async () => (await get(url(), '/v1/approve').catch(() => undefined))?.status === 422)
    return await work()
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}
const rotate = () => start(['rotate-master-key'], { env: env() }).ended
const keyFile = () => readFile(join(dir, 'master.key'), 'utf8')

/** Returns the custodial wallet of the user and a signature by it, which requires decrypting its key. */
const sign = async () => {
  const token = await signIn(url(), account)
  const { ethereum } = z.object({ ethereum: z.string() }).parse((await get(url(), '/v1/wallets/me', token)).json)
  const body = { method: 'personal_sign', params: ['Hello', ethereum], jsonrpc: '2.0', id: 1 }
  return { ethereum, signed: (await post(url(), '/v1/wallets/me/rpc', body, token)).json }
}

/** Uploads a file, or reads one: its bytes there, and its bytes as they lie on the disk. */
const files = {
  async send(bytes: Uint8Array) {
    const token = await signIn(url(), account)
    return upload({ url: url(), token }, { bytes, name: 'kept.bin' })
  },
  async read(id: string) {
    const token = await signIn(url(), account)
    return Buffer.from(await (await getFile({ url: url(), token }, id)).arrayBuffer())
  },
  onDisk: async () => Promise.all((await filesUnder(join(dir, 'files'))).map(it => readFile(it))),
}

const modesBelow = async (path: string): Promise<[string, number][]> => {
  const names = await readdir(path, { withFileTypes: true, recursive: true })
  return Promise.all(
    names.map(
      async it => [join(it.parentPath, it.name), (await stat(join(it.parentPath, it.name))).mode & 0o077] as [string, number],
    ),
  )
}

test('every secret is sealed under a new master key, wallets keep their addresses, and an interrupted rotation completes', async () => {
  const bytes = randomBytes(100_000)
  const { before, file_id } = await served(async () => {
    expect((await rotate()).err).toMatch(/is in use/)
    return { before: await sign(), ...(await files.send(bytes)) }
  })
  const lying = await files.onDisk()
  expect(lying.length).toBe(1)
  expect(before.signed).toMatchObject({ data: { signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) } })
  expect((await stat(dir)).mode & 0o777).toBe(0o700)
  expect((await modesBelow(dir)).filter(([, others]) => others !== 0)).toEqual([])

  const oldKey = await keyFile()
  const { code, out } = await rotate()
  expect([code, out]).toEqual([0, expect.stringMatching(/^\d+ secrets are sealed under the new master key/)])
  const newKey = await keyFile()
  expect(newKey).not.toBe(oldKey)
  expect(await served(sign)).toEqual(before)
  // The key of a file is wrapped again, and its bytes stay as they are.
  expect(await files.onDisk()).toEqual(lying)
  expect(bytes.equals(await served(() => files.read(file_id)))).toBe(true)

  // The state of the files when the process ends between the commit and the renaming of the new key file.
  await writeFile(join(dir, 'master.key.next'), newKey)
  await writeFile(join(dir, 'master.key'), oldKey)
  expect((await rotate()).code).toBe(0)
  expect(await keyFile()).toBe(newKey)
  expect(await served(sign)).toEqual(before)
}, 90_000)

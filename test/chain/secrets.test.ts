import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSealer, keyIdOfSealed, readMasterKey, SealError } from '../../src/chain/signing/secrets.ts'

const folder = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'keys-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}
const reasonOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error instanceof SealError ? error.reason : error
  }
}

test('a sealed secret opens with its key and its name', () => {
  const sealer = createSealer(randomBytes(32))
  const sealed = sealer.seal('the key ☂', 'owner')
  expect(sealed).not.toContain('key')
  expect(sealer.open(sealed, 'owner')).toBe('the key ☂')
  expect(sealer.seal('the key ☂', 'owner')).not.toBe(sealed)
})

test('a sealed secret does not open with another master key, another name or a changed byte', () => {
  const sealer = createSealer(randomBytes(32))
  const sealed = sealer.seal('plain words', 'owner')
  expect(reasonOf(() => createSealer(randomBytes(32)).open(sealed, 'owner'))).toBe('wrong-master-key')
  expect(reasonOf(() => sealer.open(sealed, 'other'))).toBe('damaged-secret')
  for (const [index, letter] of [...sealed].entries()) {
    const changed = sealed.slice(0, index) + (letter === 'A' ? 'B' : 'A') + sealed.slice(index + 1)
    if (Buffer.from(changed, 'base64url').equals(Buffer.from(sealed, 'base64url'))) continue
    expect(() => sealer.open(changed, 'owner')).toThrow(SealError)
  }
})

test('the error of a failed opening names the master key by its id only, and no secret', () => {
  const key = randomBytes(32)
  const sealed = createSealer(key).seal('plain words', 'owner')
  try {
    createSealer(randomBytes(32)).open(sealed, 'owner')
  } catch (error) {
    expect(String(error)).not.toMatch(new RegExp([...sealed.split('.').slice(2), key.toString('hex'), 'plain words'].join('|')))
  }
  expect.assertions(1)
})

test('concurrent starts create one master key, and only its owner can read the file', async () => {
  const dir = await folder()
  const file = join(dir, 'new', 'master.key')
  const keys = await Promise.all(Array.from({ length: 5 }, () => readMasterKey({ file })))
  expect(new Set(keys.map(key => Buffer.from(key).toString('hex'))).size).toBe(1)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(join(dir, 'new'))).toEqual(['master.key'])
  expect((await readFile(file, 'utf8')).trim()).toBe(Buffer.from(keys[0] ?? []).toString('hex'))
})

test('no new master key is created beside secrets that another one has sealed', async () => {
  const dir = await folder()
  const file = join(dir, 'master.key')
  const sealedWith = keyIdOfSealed(createSealer(await readMasterKey({ file })).seal('plain words', 'owner'))
  await rm(file)
  const reading = readMasterKey({ file, sealedWith })
  await expect(reading).rejects.toMatchObject({ reason: 'missing-master-key', message: expect.stringContaining(sealedWith) })
  expect(await readdir(dir)).toEqual([])
})

test.each([
  ['postgres://market@database.example:5432/market', true],
  ['postgres://market@10.0.0.7/market', true],
  ['postgres:///market?host=10.0.0.7', true],
  ['postgres:///market?host=/run/postgresql', false],
  ['postgres://market@database.example/market?host=127.0.0.1', false],
  ['postgres://market@127.0.0.1:5432/market', false],
  ['postgres://market@localhost/market', false],
  [undefined, false],
])('no master key is created for a database on another machine: %s %s', async (databaseUrl, isRefused) => {
  const dir = await folder()
  const file = join(dir, 'master.key')
  const reading = readMasterKey({ file, databaseUrl })
  if (isRefused) await expect(reading).rejects.toThrow('Set MASTER_KEY')
  else expect(await reading).toHaveLength(32)
  expect(await readdir(dir)).toEqual(isRefused ? [] : ['master.key'])
  await writeFile(file, 'ab'.repeat(32))
  expect(Buffer.from(await readMasterKey({ file, databaseUrl })).toString('hex')).toMatch(isRefused ? /^(ab)+$/ : /./)
})

test('a configured master key takes precedence over the file, and an invalid one is refused without being shown', async () => {
  const dir = await folder()
  const hex = 'ab'.repeat(32)
  expect(Buffer.from(await readMasterKey({ hex, file: join(dir, 'unused') })).toString('hex')).toBe(hex)
  expect(await readdir(dir)).toEqual([])
  await writeFile(join(dir, 'broken'), 'secret words')
  await chmod(join(dir, 'broken'), 0o600)
  await expect(readMasterKey({ file: join(dir, 'broken') })).rejects.toMatchObject({ reason: 'bad-master-key' })
  await expect(readMasterKey({ file: join(dir, 'broken') })).rejects.not.toThrow(/secret words/)
})

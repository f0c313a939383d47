import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

const algorithm = 'aes-256-gcm'
const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/** A secret that cannot be sealed or opened, and the reason. The message never contains a key, plain text or sealed text. */
export class SealError extends Error {
  readonly reason: 'wrong-master-key' | 'missing-master-key' | 'damaged-secret' | 'bad-master-key'

  constructor(reason: SealError['reason'], message: string) {
    super(message)
    this.name = 'SealError'
    this.reason = reason
  }
}

export type Sealer = {
  /** Encrypts `plain`. Only the same master key and the same `aad` (associated data) can decrypt it. */
  seal(plain: string, aad: string): string
  /**
   * Decrypts a sealed text.
   * @throws SealError `wrong-master-key`, or `damaged-secret` when the text or its `aad` was changed
   */
  open(sealed: string, aad: string): string
}

/**
 * Envelope encryption at rest: each secret has its own random data key, which the master key wraps (AES-256-GCM, NIST SP
 * 800-38D). A sealed text is `v1.<master key id>.<wrapped data key>.<body>`; the id distinguishes a wrong key from a damaged
 * secret.
 */
export const createSealer = (masterKey: Uint8Array): Sealer => {
  if (masterKey.length !== keyBytes) throw new SealError('bad-master-key', `The master key must have ${keyBytes} bytes.`)
  const id = keyIdOf(masterKey)

  return {
    seal(plain, aad) {
      const dataKey = randomBytes(keyBytes)
      return ['v1', id, encrypt(masterKey, dataKey, aad), encrypt(dataKey, Buffer.from(plain, 'utf8'), aad)].join('.')
    },
    open(sealed, aad) {
      const [version, sealedWith, wrapped, body] = sealed.split('.')
      if (version !== 'v1' || wrapped === undefined || body === undefined) throw damaged()
      if (sealedWith !== id)
        throw new SealError(
          'wrong-master-key',
          `The secret was sealed with master key ${sealedWith}, and the given one is ${id}.`,
        )
      return decrypt(decrypt(masterKey, wrapped, aad), body, aad).toString('utf8')
    },
  }
}

/** A short public id of a master key, which reveals nothing about the key. */
const keyIdOf = (masterKey: Uint8Array): string =>
  createHmac('sha256', masterKey).update('master key id').digest('hex').slice(0, 8)

/** The id of a master key in its text form. @throws SealError `bad-master-key` */
export const keyIdOfText = (text: string): string => keyIdOf(parseKey(text, 'The master key'))

/** The id of the master key that sealed a secret. */
export const keyIdOfSealed = (sealed: string): string => sealed.split('.')[1] ?? ''

type MasterKeyPlace = {
  hex?: string | undefined
  file: string
  /** Id of the master key that sealed the existing secrets. A new key could not open them. */
  sealedWith?: string | undefined
  /** Address of the database server. Where it is another machine, no key is made: each process would make one of its own. */
  databaseUrl?: string | undefined
}

/**
 * The master key from hex (64 digits), or from a file that the first start creates with mode 0600. Processes that start at the
 * same time get the same key.
 * @throws SealError `bad-master-key`, or `missing-master-key` when the file does not exist and must not be made
 */
export const readMasterKey = async ({ hex, file, sealedWith, databaseUrl }: MasterKeyPlace): Promise<Uint8Array> => {
  if (hex !== undefined) return parseKey(hex, 'The given master key')
  await mkdir(dirname(file), { recursive: true })
  const found = await readFile(file, 'utf8').catch(() => undefined)
  if (found === undefined && sealedWith !== undefined)
    throw new SealError(
      'missing-master-key',
      `The secrets of this database are sealed with master key ${sealedWith}. Put its file back at ${file}, or set MASTER_KEY.`,
    )
  if (found === undefined && isElsewhere(databaseUrl))
    throw new SealError('missing-master-key', `${keyElsewhere} There is none at ${file}.`)
  if (found === undefined) await placeKey(file)
  return parseKey(found ?? (await readFile(file, 'utf8')), `The master key in ${file}`)
}

/** Why a process with a database on another machine has no key, and what to do. */
export const keyElsewhere =
  'The database is on another machine, so its processes must share one master key. ' +
  'Set MASTER_KEY to 64 random hex digits (openssl rand -hex 32) and keep them.'

/** Whether a database server is on another machine. */
export const isElsewhere = (databaseUrl: string | undefined): boolean => {
  if (databaseUrl === undefined) return false
  const { hostname, searchParams } = new URL(databaseUrl)
  // The parameter takes the place of the name. A path is a socket of this machine.
  const host = searchParams.get('host') ?? hostname
  return !(host === '' || host.startsWith('/') || host === 'localhost' || host === '[::1]' || host.startsWith('127.'))
}

// A hard link makes the file appear complete, and link() never replaces the key of an earlier start.
const placeKey = async (file: string) => {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  await handle.writeFile(`${randomBytes(keyBytes).toString('hex')}\n`)
  await handle.sync()
  await handle.close()
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
}

const parseKey = (text: string, what: string): Uint8Array => {
  const digits = text.trim().replace(/^0x/, '')
  if (!/^[0-9a-f]{64}$/i.test(digits)) throw new SealError('bad-master-key', `${what} is not ${2 * keyBytes} hex digits.`)
  return Buffer.from(digits, 'hex')
}

const encrypt = (key: Uint8Array, plain: Uint8Array, aad: string): string => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(aad))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

const decrypt = (key: Uint8Array, text: string, aad: string): Buffer => {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < ivBytes + tagBytes) throw damaged()
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(aad))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()])
  } catch {
    throw damaged()
  }
}

const damaged = () => new SealError('damaged-secret', 'The secret or the name it is bound to was changed.')

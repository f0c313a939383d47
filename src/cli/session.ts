import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { type Address, hex, toWallet } from '../domain/hex.ts'
import { parseJson } from '../domain/json.ts'
import { createClient, Refused } from './client.ts'

const kept = z.object({ privateKey: hex, token: z.string().default('') })

export type Session = { token: string; wallet: Address | undefined }

/**
 * Opens the session of the local world's demo user. Its wallet is created at the first use and stored with its token in a
 * private file. A token that the service rejects is renewed.
 */
export const openSession = async ({ url, file }: { url: string; file: string }): Promise<Session> => {
  const before = kept.safeParse(parseJson(await readFile(file, 'utf8').catch(() => '')))
  const privateKey = before.success ? before.data.privateKey : generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  const known = before.success && (await isTaken(url, before.data.token)) ? before.data.token : undefined
  const token = known ?? (await authorize(url, account))
  if (!known) await keep(file, { privateKey, token })
  return { token, wallet: toWallet(account.address) }
}

const isTaken = async (url: string, token: string): Promise<boolean> =>
  createClient({ url, token })
    .get('/v1/wallets/me')
    .then(() => true)
    .catch((error: unknown) => {
      if (error instanceof Refused && error.status === 401) return false
      throw error
    })

/** Gets a token as every client does: starts a session, signs its text with the wallet, and fetches the token. */
const authorize = async (url: string, account: PrivateKeyAccount): Promise<string> => {
  const client = createClient({ url })
  const { code } = z.object({ code: z.string() }).parse(await client.post('/v1/init', true))
  const { message } = z
    .object({ message: z.string() })
    .parse(await client.get(`/v1/approve?code=${code}&address=${account.address}`).catch(sayWhatHelps))
  const signature = await account.signMessage({ message })
  const approved = await client.post('/v1/approve', { code, address: account.address, signature })
  return z.object({ token: z.string() }).parse(approved).token
}

const sayWhatHelps = (error: unknown): never => {
  if (!(error instanceof Refused) || error.status !== 404) throw error
  throw new Error(`${error.message} Set SERVICE_PROXY_AUTH to your token.`, { cause: error })
}

const keep = async (file: string, session: z.infer<typeof kept>) => {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(session), { mode: 0o600 })
}

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../domain/json.ts'

export type Environment = Record<string, string | undefined>

/** The keys of the stored client configuration (specification, Stored client configuration). Other keys are kept. */
const stored = z.object({ SERVICE_PROXY_AUTH: z.string().optional(), AGENT_ID: z.string().optional() }).catchall(z.json())
export type Stored = z.infer<typeof stored>

export const configFile = (env: Environment, platform: NodeJS.Platform = process.platform): string => {
  const home = env.HOME || env.USERPROFILE || homedir()
  const folder = env.XDG_CONFIG_HOME || byPlatform(env, { platform, home })
  return join(folder, 'agent-marketplace', 'config.json')
}

const byPlatform = (env: Environment, { platform, home }: { platform: NodeJS.Platform; home: string }): string => {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  return join(home, '.config')
}

/** Reads the stored configuration; empty without a file. @throws Error when the file has another form */
export const readStored = async (file: string): Promise<Stored> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  const parsed = stored.safeParse(parseJson(text))
  if (!parsed.success) throw new Error(`${file} is not a configuration. Fix it, or delete it and sign in again.`)
  return parsed.data
}

/** Changes the stored configuration; an undefined member is removed. Only the owner may read the file. */
export const changeStored = async (file: string, changes: Partial<Stored>): Promise<void> => {
  const next = { ...(await readStored(file)), ...changes }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}`
  await writeFile(beside, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 })
  await rename(beside, file)
}

export type Settings = {
  /** Base URL of the platform, without a trailing slash. */
  url: string
  authUrl: string
  gatewayUrl: string
  chainId: number | undefined
  token: string | undefined
  /** Used only without a token. */
  privateKey: string | undefined
  agentId: string | undefined
  file: string
}

type Flags = { url?: string | undefined }

/** Reads the settings. Flags override variables, which override the file; a token takes precedence over a key. */
export const readSettings = async (env: Environment, flags: Flags, fallbackUrl: string): Promise<Settings> => {
  const file = configFile(env)
  const kept = await readStored(file)
  const url = trim(flags.url ?? (env.SERVICE_ENDPOINT || fallbackUrl))
  const token = env.SERVICE_PROXY_AUTH || kept.SERVICE_PROXY_AUTH || undefined
  return {
    url,
    authUrl: trim(env.AUTH_URL || url),
    gatewayUrl: trim(env.GATEWAY_URL || url),
    chainId: readChainId(env.AGENT_REGISTRATION_CHAIN_ID),
    token,
    privateKey: token ? undefined : env.SERVICE_WALLET_PRIVATE_KEY || undefined,
    agentId: env.AGENT_ID || kept.AGENT_ID || undefined,
    file,
  }
}

const trim = (url: string) => url.replace(/\/+$/, '')

const readChainId = (text: string | undefined): number | undefined => {
  if (!text) return undefined
  if (!/^\d+$/.test(text)) throw new Error('AGENT_REGISTRATION_CHAIN_ID must be a chain id, such as 97.')
  return Number(text)
}

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { hex } from '../domain/hex.ts'
import { cityClock } from '../kit/demo/cityClock.ts'
import { textDigest } from '../kit/demo/textDigest.ts'
import type { DemoAgentName } from './demoAgents.ts'

const makers = { 'city-clock': cityClock, 'text-digest': textDigest }

type RunOptions = { name: DemoAgentName; platformUrl: string; keysDir: string; port: number; log(line: string): void }

/** Runs one demo agent with a key of its own; the key stays in its owner's file, so that it is the same agent next time. */
export const runAgent = async ({ name, platformUrl, keysDir, port, log }: RunOptions) => {
  const privateKey = await readKey(keysDir, name)
  return makers[name]({ platformUrl, credential: { privateKey }, port, log }).start()
}

const readKey = async (dir: string, name: string) => {
  const file = join(dir, `${name}.key`)
  const found = hex.safeParse((await readFile(file, 'utf8').catch(() => '')).trim())
  if (found.success && found.data.length === 66) return found.data
  const fresh = generatePrivateKey()
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await writeFile(file, `${fresh}\n`, { mode: 0o600 })
  return fresh
}

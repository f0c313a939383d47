import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const places = { escrow: z.string(), usdc: z.string(), reputation: z.string(), launchpad: z.string().optional() }
const genesis = z.object({ addresses: z.object(places) })

/** The process of the embedded chain of a service in this folder. Its command line contains the folder. */
export const chainPid = (dir: string): number => {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const found = pids.find(pid => commandOf(pid).includes(join(dir, 'chain', 'node-of-')))
  if (found === undefined) throw new Error(`no chain runs in ${dir}`)
  return Number(found)
}

/** The command line of a process; empty when it has ended. */
const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** The present URL of the embedded chain, found through the kernel, and its contracts. */
export const lookForChain = (dir: string) => ({
  rpcUrl: `http://127.0.0.1:${portOf(chainPid(dir))}`,
  ...genesis.parse(readJson(join(dir, 'chain', 'genesis.json'))).addresses,
})

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

const listening = '0A'

/** The port on which a process listens, found by its open sockets. */
const portOf = (pid: number): number => {
  const held = new Set(readdirSync(`/proc/${pid}/fd`).map(fd => readlinkSync(`/proc/${pid}/fd/${fd}`)))
  for (const line of readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n')) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
    if (state === listening && held.has(`socket:[${inode}]`)) return Number.parseInt(local?.split(':')[1] ?? '', 16)
  }
  throw new Error(`process ${pid} listens nowhere`)
}

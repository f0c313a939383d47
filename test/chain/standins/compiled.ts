import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Abi } from 'viem'
import { z } from 'zod'
import { compileSolidity } from '../../../src/chain/contracts/compile.ts'
import { type Hex, hex } from '../../../src/domain/hex.ts'

export type Standin = { abi: Abi; bytecode: Hex }

const abi = z.custom<Abi>(value => Array.isArray(value))
const compiled = z.record(z.string(), z.object({ abi, bytecode: hex }))

/** The contracts of this folder's files by name; compiled once for each text of them on this machine. */
export const readStandins = async (files: string[]): Promise<(name: string) => Standin> => {
  const sources = await Promise.all(
    files.map(async file => [file, { content: await readFile(new URL(file, import.meta.url), 'utf8') }] as const),
  )
  const place = join(tmpdir(), `standins-${createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 32)}.json`)
  const kept = await readFile(place, 'utf8').catch(() => undefined)
  const contracts = compiled.parse(kept ? JSON.parse(kept) : compile(Object.fromEntries(sources)))
  if (!kept) {
    await writeFile(`${place}.${process.pid}`, JSON.stringify(contracts))
    await rename(`${place}.${process.pid}`, place)
  }
  return name => {
    const found = contracts[name]
    if (!found) throw new Error(`no stand-in ${name}`)
    return found
  }
}

const compile = (sources: Record<string, { content: string }>) =>
  Object.fromEntries(
    Object.values(compileSolidity(sources)).flatMap(contracts =>
      Object.entries(contracts).map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]),
    ),
  )

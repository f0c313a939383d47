import { readFile } from 'node:fs/promises'
import type { Abi } from 'viem'
import { z } from 'zod'
import { type Hex, hex } from '../../../src/domain/hex.ts'
import { compileSources } from '../../contracts/compileOnce.ts'

export type Standin = { abi: Abi; bytecode: Hex }

const abi = z.custom<Abi>(value => Array.isArray(value))
const standin = z.object({ abi, bytecode: hex })

/** Compiles the files of this folder; returns the contracts by name. */
export const readStandins = async (files: string[]): Promise<(name: string) => Standin> => {
  const sources = await Promise.all(
    files.map(async file => [file, { content: await readFile(new URL(file, import.meta.url), 'utf8') }] as const),
  )
  const contracts = toStandins(await compileSources(Object.fromEntries(sources)))
  return name => {
    const found = contracts[name]
    if (!found) throw new Error(`no stand-in ${name}`)
    return found
  }
}

const toStandins = (compiled: Awaited<ReturnType<typeof compileSources>>) =>
  Object.fromEntries(
    Object.values(compiled).flatMap(contracts =>
      Object.entries(contracts).map(([name, { abi, evm }]) => [
        name,
        standin.parse({ abi, bytecode: `0x${evm.bytecode.object}` }),
      ]),
    ),
  )

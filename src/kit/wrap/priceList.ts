import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { parseJson } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { addedMembers } from '../../domain/offerings/offering.ts'
import type { Source } from './source.ts'

const price = z.string().regex(/^\d+(\.\d+)?$/, 'must be USDC as plain decimal text')

const entry = z.object({
  price,
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  examples: addedMembers.examples.optional(),
  sla_minutes: z.number().int().min(1).max(limits.slaMinutes).optional(),
  /** False excludes the capability from the market. */
  sell: z.boolean().optional(),
})

/** The owner's prices and settings for a wrapped program. The file is created at the first run and then edited by the owner. */
export const priceList = z.object({
  handle: z.string().min(1),
  name: z.string().min(1),
  description: z.string(),
  offerings: z.record(z.string(), entry),
})
export type PriceList = z.infer<typeof priceList>

/**
 * Reads a price list; undefined when there is no file.
 * @throws Error that names the file and the member
 */
export const readPriceList = async (file: string): Promise<PriceList | undefined> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const parsed = priceList.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${file} does not fit at /${issue?.path.join('/') ?? ''}: ${issue?.message ?? 'it is not JSON'}`)
}

/** Writes a price list as indented JSON. Overwrites the file. */
export const writePriceList = (file: string, list: PriceList): Promise<void> =>
  writeFile(file, `${JSON.stringify(list, null, 2)}\n`)

/** Builds the initial price list of a program, with the same price for everything. */
export const toPriceList = (
  { name, description, capabilities }: Source,
  { handle, price }: { handle: string; price: string },
) => ({
  handle,
  name,
  description,
  offerings: Object.fromEntries(capabilities.map(it => [it.id, { price, name: it.name, description: it.description }])),
})

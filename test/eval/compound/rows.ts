import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { json, jsonObject } from '../../../src/domain/json.ts'

const tool = z.object({ name: z.string(), description: z.string().default(''), parameters: jsonObject })
/** `arguments` lists the accepted values of each argument; an empty text among them means that it may be left out. */
const call = z.object({ name: z.string(), arguments: z.record(z.string(), z.array(json)) })
const row = z.object({ id: z.string(), kind: z.string(), request: z.string(), tools: z.array(tool), calls: z.array(call) })

export type Tool = z.infer<typeof tool>
export type Call = z.infer<typeof call>
export type Row = z.infer<typeof row>

/** Reads requests with their tools and right calls, one JSON object a line. */
export const readRows = async (file: string): Promise<Row[]> =>
  (await readFile(file, 'utf8')).split('\n').flatMap(line => (line.trim() ? [row.parse(JSON.parse(line))] : []))

import { spawn } from 'node:child_process'
import { json, text } from 'node:stream/consumers'
import type { z } from 'zod'
import type { Service } from '../../src/service.ts'

const client = new URL('client.ts', import.meta.url).pathname

/** Runs clients in another process. `whenListening` is called once they listen. */
export const runClients = async <T extends z.ZodType>(
  work: unknown,
  answer: T,
  whenListening?: () => Promise<void>,
): Promise<z.output<T>> => {
  const child = spawn(process.execPath, [client], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(JSON.stringify(work))
  const said = text(child.stderr)
  child.stderr.once('data', () => void whenListening?.())
  const result = await json(child.stdout).catch(async () => Promise.reject(new Error(await said)))
  return answer.parse(result)
}

export const portOf = ({ url }: Pick<Service, 'url'>): number => Number(new URL(url).port)

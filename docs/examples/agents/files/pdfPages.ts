import { Worker } from 'node:worker_threads'
import { z } from 'zod'

/** Time in ms and memory in MB for one document. A file of a few KB can unfold into gigabytes. */
const maxMs = 20_000
const maxMegabytes = 256
export const maxPages = 1_000

const answer = z.union([z.object({ pages: z.array(z.string()) }), z.object({ error: z.string() })])

/**
 * The text of each page of a PDF, read in a thread of its own that ends when it takes too long or too much memory.
 * @throws Error whose message is for the buyer
 */
export const readPdfPages = async (bytes: Uint8Array): Promise<string[]> => {
  const thread = new Worker(new URL('pdfThread.ts', import.meta.url), {
    workerData: { bytes, maxPages },
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
    stderr: true,
    stdout: true,
  })
  try {
    const told = await new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('This document takes too long to read.')), maxMs)
      thread.once('message', resolve)
      thread.once('error', () => reject(new Error('This document is too large to read.')))
      thread.once('exit', () => clearTimeout(timer))
    })
    const said = answer.parse(told)
    if ('error' in said) throw new Error(said.error)
    return said.pages
  } finally {
    await thread.terminate()
  }
}

import { parentPort, workerData } from 'node:worker_threads'
import { extractText, getDocumentProxy } from 'unpdf'
import { z } from 'zod'

const given = z.object({ bytes: z.instanceof(Uint8Array), maxPages: z.number() })

/** Reads the text of each page of a PDF. A scanned page has none. */
const read = async (): Promise<{ pages: string[] } | { error: string }> => {
  const { bytes, maxPages } = given.parse(workerData)
  try {
    const document = await getDocumentProxy(bytes)
    if (document.numPages > maxPages)
      return { error: `This document has ${document.numPages} pages; I read at most ${maxPages}.` }
    const { text } = await extractText(document, { mergePages: false })
    return { pages: text }
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    return { error: isLocked ? 'This PDF is locked with a password.' : 'This is no PDF that I can read.' }
  }
}

parentPort?.postMessage(await read())

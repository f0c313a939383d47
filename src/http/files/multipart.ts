import { nameIn } from '../../domain/files/fileName.ts'
import { Problem } from '../../domain/problem.ts'
import type { Upload } from '../../ports.ts'

/** The headers of one part. Browsers write three short lines. */
const mostHeaderBytes = 16 * 1_024
const lineEnd = '\r\n'

/**
 * Reads a form (RFC 7578) up to its first file, whose bytes stay unread. Nothing of a form is in memory but a chunk.
 * @throws Problem invalid-input without a file, or when the form ends before its file does
 */
export const readFilePart = async (body: AsyncIterator<Uint8Array>, boundary: string): Promise<Upload> => {
  const form = createScanner(body)
  const mark = Buffer.from(`${lineEnd}--${boundary}`)
  // The first boundary may be at the beginning, where no line ends before it.
  form.put(Buffer.from(lineEnd))
  for (;;) {
    for await (const _ of form.until(mark));
    const head = await form.take(Buffer.from(`${lineEnd}${lineEnd}`), mostHeaderBytes)
    const headers = new Map(
      head.split(lineEnd).map(it => [it.split(':', 1)[0]?.trim().toLowerCase(), it.slice(it.indexOf(':') + 1)]),
    )
    const disposition = headers.get('content-disposition')
    if (head.startsWith('--')) throw new Problem('invalid-input', 'The form has no file.')
    if (disposition !== undefined && /\bfilename\*?=/i.test(disposition))
      // Browsers encode quotes and line ends in names, and nothing else (WHATWG HTML, multipart/form-data).
      return {
        bytes: form.until(mark),
        length: undefined,
        declaredType: headers.get('content-type')?.trim(),
        name: nameIn(disposition)?.replace(/%(?:22|0[da])/gi, decodeURIComponent),
      }
  }
}

/** Reads a stream up to marks. */
const createScanner = (body: AsyncIterator<Uint8Array>) => {
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { done, value } = await body.next()
    if (done) throw new Problem('invalid-input', 'The form ends before its file does.')
    rest = Buffer.concat([rest, value])
  }
  return {
    put(bytes: Buffer) {
      rest = Buffer.concat([bytes, rest])
    },
    /** The bytes before a mark, which is skipped. Only what may be the beginning of the mark waits for the next chunk. */
    async *until(mark: Buffer): AsyncGenerator<Uint8Array> {
      for (;;) {
        const at = rest.indexOf(mark)
        const end = at >= 0 ? at : Math.max(0, rest.length - mark.length + 1)
        if (end > 0) yield rest.subarray(0, end)
        rest = rest.subarray(at >= 0 ? at + mark.length : end)
        if (at >= 0) return
        await more()
      }
    },
    async take(mark: Buffer, mostBytes: number): Promise<string> {
      for (;;) {
        const at = rest.indexOf(mark)
        if (at < 0 && rest.length > mostBytes) throw new Problem('invalid-input', 'A part of the form has too long headers.')
        if (at >= 0) {
          const text = rest.toString('utf8', 0, at)
          rest = rest.subarray(at + mark.length)
          return text
        }
        // The end of a form has no headers.
        if (rest.toString('utf8', 0, 2) === '--') return '--'
        await more()
      }
    },
  }
}

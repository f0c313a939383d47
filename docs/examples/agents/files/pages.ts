import { decodeText } from './decodeText.ts'
import { readPdfPages } from './pdfPages.ts'

const isPdf = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes.subarray(0, 1_024)).includes('%PDF-')

/** The text of each page of a document: of a PDF, or of plain text whose pages are ended by form feeds. @throws Error */
export const readPages = async (bytes: Uint8Array): Promise<string[]> => {
  if (isPdf(bytes)) return readPdfPages(bytes)
  const text = decodeText(bytes)
  if (text.includes('\0')) throw new Error('This is neither a PDF nor a text.')
  return text.split('\f')
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Counts the words of a text in any language that the runtime can segment. */
export const countWords = (text: string): number => {
  let count = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count += 1
  return count
}

export const toPageCounts = (pages: readonly string[]): { page: number; words: number; characters: number }[] =>
  pages.map((text, at) => ({ page: at + 1, words: countWords(text), characters: [...text.trim()].length }))

import { readPdfPages } from './pdfPages.ts'

const isPdf = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes.subarray(0, 1_024)).includes('%PDF-')

/** The text of each page of a document: of a PDF, or of plain text whose pages are ended by form feeds. @throws Error */
export const readPages = async (bytes: Uint8Array): Promise<string[]> => {
  if (isPdf(bytes)) return readPdfPages(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).split('\f')
  } catch {
    throw new Error('This is neither a PDF nor a text in UTF-8.')
  }
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

import { buffer } from 'node:stream/consumers'
import type { Measure, Measures } from '../../domain/files/fileRules.ts'
import { type Pixels, readPixels } from '../../domain/files/pixels.ts'
import { createRowCount } from '../../domain/files/rowCount.ts'
import type { FileRow } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { countPdfPages } from './pdfPageCount.ts'

/** The bytes in which a picture tells its size. A preview of a camera comes before it. */
const pictureHeadBytes = 1_024 * 1_024
const isTable = /^text\/(?:csv|tab-separated-values|plain)$/

/** Reads measures of a file from its bytes. A measure that a file of its type does not have is left out. */
export const measureFile = async (
  { files }: Pick<Deps, 'files'>,
  file: FileRow,
  wanted: ReadonlySet<Measure>,
): Promise<Measures> => {
  const found: Measures = { bytes: file.bytes }
  if ((wanted.has('width') || wanted.has('height')) && file.mediaType.startsWith('image/'))
    Object.assign(found, await pixelsOf(files, file))
  if (wanted.has('rows') && isTable.test(file.mediaType)) {
    const count = createRowCount()
    for await (const chunk of files.open(file)) count.add(chunk)
    found.rows = count.rows()
  }
  if (wanted.has('pages') && file.mediaType === 'application/pdf') {
    const pages = await countPdfPages(files.open(file))
    if (pages !== undefined) found.pages = pages
  }
  return found
}

const pixelsOf = async (files: Deps['files'], file: FileRow): Promise<Pixels | undefined> => {
  const end = Math.min(file.bytes, pictureHeadBytes)
  return readPixels(await buffer(files.open(file, { start: 0, end })))
}

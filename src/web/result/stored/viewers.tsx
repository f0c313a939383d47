import { useState } from 'hono/jsx/dom'
import { useEffect } from '../../client/effects.ts'
import { toCount } from '../../client/format.ts'
import { fileKindOf } from '../../files/kinds.ts'
import { Table } from '../Table.tsx'
import type { InsideProps } from './inside.ts'
import { Lines } from './Lines.tsx'
import { PdfPages } from './PdfPages.tsx'
import { PictureView } from './PictureView.tsx'
import { readTable } from './readTable.ts'

/** A file drawn by its kind. Nothing in it is executed: it is an image, a player, drawn points or text. */
export const FileInside = (props: InsideProps) => {
  const kind = fileKindOf(props.file.media_type)
  if (kind === 'picture') return <PictureView {...props} />
  // biome-ignore lint/a11y/useMediaCaption: a delivered recording comes without captions
  if (kind === 'audio') return <audio controls src={props.url} aria-label={props.file.name} />
  // biome-ignore lint/a11y/useMediaCaption: the same
  if (kind === 'video') return <video controls src={props.url} aria-label={props.file.name} />
  if (kind === 'pdf') return <PdfPages {...props} />
  if (kind === 'table') return <CsvView {...props} />
  return <TextView {...props} />
}

/** Bytes of a text that are read to be shown. */
const textBytes = 256 * 1024

const useText = (blob: Blob): string | undefined => {
  const [text, setText] = useState<string | undefined>(undefined)
  useEffect(() => void blob.slice(0, textBytes).text().then(setText), [blob])
  return text
}

const TextView = ({ file, blob }: InsideProps) => {
  const text = useText(blob)
  if (text === undefined) return <div class="file-wait" />
  return (
    <>
      <Lines text={text} name={file.name} />
      {blob.size > textBytes && <p class="q xs">The beginning of the file. Save it to have all of it.</p>}
    </>
  )
}

const CsvView = ({ blob }: InsideProps) => {
  const text = useText(blob)
  if (text === undefined) return <div class="file-wait" />
  const { columns, rows, isCut } = readTable(text, blob.size > textBytes)
  if (columns.length === 0) return <Lines text={text} name="Table" />
  return (
    <>
      <Table columns={columns} rows={rows} />
      {isCut && <p class="q xs">The first {toCount(rows.length, 'row')}. Save the file to have all of them.</p>}
    </>
  )
}

import { useState } from 'hono/jsx/dom'
import { toSpoken } from '../../../domain/text/quotableText.ts'
import { useEffect } from '../../client/effects.ts'
import { t, tn } from '../../client/words.ts'
import { fileKindOf } from '../../files/kinds.ts'
import { readText } from '../../files/readText.ts'
import { Button } from '../../parts/basics.tsx'
import { quoted } from '../../parts/strangers.tsx'
import { Table } from '../Table.tsx'
import { type Archive, readArchive } from './archives.ts'
import type { InsideProps } from './inside.ts'
import { PdfPages } from './PdfPages.tsx'
import { PictureView } from './PictureView.tsx'
import { readSheet } from './readSheet.ts'
import { readTable, type Tabular } from './readTable.ts'

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
  if (kind === 'archive') return <ArchiveView {...props} />
  return <TextView {...props} />
}

const firstRows = 'The first {n} row. Save the file to have all of them.|The first {n} rows. Save the file to have all of them.'
const firstNames =
  'The first {n} name. Save the archive to have all of it.|The first {n} names. Save the archive to have all of it.'

/** Bytes of a text that are read to be shown. */
const textBytes = 256 * 1024

const useText = (blob: Blob): string | undefined => {
  const [text, setText] = useState<string | undefined>(undefined)
  useEffect(() => void readText(blob, textBytes).then(setText), [blob])
  return text
}

const TextView = ({ file, blob }: InsideProps) => {
  const text = useText(blob)
  if (text === undefined) return <div class="file-wait" />
  return (
    <>
      <Lines text={text} name={file.name} />
      {blob.size > textBytes && <p class="q xs">{t('The beginning of the file. Save it to have all of it.')}</p>}
    </>
  )
}

const CsvView = ({ blob }: InsideProps) => {
  const text = useText(blob)
  if (text === undefined) return <div class="file-wait" />
  const table = readTable(text, blob.size > textBytes)
  return table.columns.length === 0 ? <Lines text={text} name={t('Table')} /> : <FirstRows {...table} />
}

const FirstRows = ({ columns, rows, isCut }: Tabular) => (
  <>
    <Table columns={columns} rows={rows} />
    {isCut && <p class="q xs">{tn(rows.length, firstRows)}</p>}
  </>
)

/** What was read from a file; `broken` when it cannot be read. */
const useRead = <T,>(blob: Blob, read: (blob: Blob) => Promise<T>): T | 'broken' | undefined => {
  const [value, setValue] = useState<{ of: T } | 'broken' | undefined>(undefined)
  useEffect(() => {
    read(blob).then(
      of => setValue({ of }),
      () => setValue('broken'),
    )
  }, [blob])
  return typeof value === 'object' ? value.of : value
}

/** A workbook is an archive too, and not each one is recognised by its first bytes. */
const readEither = async (blob: Blob) => (await readSheet(blob).catch(() => undefined)) ?? readArchive(blob)

/** The first sheet of a workbook, or the names in an archive. Nothing of it is unpacked to a disk. */
const ArchiveView = ({ blob }: InsideProps) => {
  const read = useRead(blob, readEither)
  if (read === undefined) return <div class="file-wait" />
  if (read === 'broken') return <p class="q s">{t('This file cannot be shown. Save it to open it elsewhere.')}</p>
  return 'members' in read ? <Names {...read} /> : <Sheet {...read} />
}

const Sheet = ({ sheet, sheets, ...table }: Awaited<ReturnType<typeof readSheet>>) => (
  <>
    {sheets > 1 && (
      <p class="q xs">
        {quoted(sheet, 60)} · {t('{part} of {whole}', { part: '1', whole: String(sheets) })}
      </p>
    )}
    {table.columns.length === 0 ? <p class="q s">{t('This sheet is empty.')}</p> : <FirstRows {...table} />}
  </>
)

const Names = ({ members, isCut }: Archive) => (
  <>
    <Table columns={['name', 'bytes']} rows={members.map(({ name, bytes }) => ({ name, bytes }))} />
    {isCut && <p class="q xs">{tn(members.length, firstNames)}</p>}
  </>
)

const shownLines = 20
const mostLines = 2_000

/** A text with the numbers of its lines. Whatever markup it has is text. */
const Lines = ({ text, name }: { text: string; name: string }) => {
  const [isWhole, setWhole] = useState(false)
  const all = toSpoken(text, text.length).replace(/\n$/, '').split('\n')
  const shown = all.slice(0, isWhole ? mostLines : shownLines)
  return (
    <>
      <section class="file-lines" tabindex={0} aria-label={t('Text of {name}', { name })}>
        <ol>
          {shown.map((it, at) => (
            <li key={at}>
              <bdi>{it || ' '}</bdi>
            </li>
          ))}
        </ol>
      </section>
      {!isWhole && all.length > shown.length && (
        <Button
          class="link"
          onClick={() => setWhole(true)}
          words={tn(Math.min(all.length, mostLines), 'Show all {n} line|Show all {n} lines')}
        />
      )}
    </>
  )
}

import { useState } from 'hono/jsx/dom'
import { toSpoken } from '../../domain/text/quotableText.ts'
import { useEffect } from '../client/effects.ts'
import { toLabel } from '../client/format.ts'
import { t, tn } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { Filled } from '../parts/Filled.tsx'
import { ChevronIcon, DownloadIcon, OutIcon } from '../parts/icons.tsx'
import { download, quoted } from '../parts/strangers.tsx'
import { Chart } from './Chart.tsx'
import { Code } from './Code.tsx'
import { hostOf } from './hosts.ts'
import { type Drawn, isBlock } from './kinds.ts'
import { kilobytes, Picture, PictureNote } from './Picture.tsx'
import { StoredFiles } from './stored/StoredFiles.tsx'
import { Table } from './Table.tsx'
import { toEnding } from './Tools.tsx'
import { toHeadline, toValue } from './values.ts'

/** Maximum rows shown at first. */
const shownRows = 12
const foldedLines = 20

/** Displays a deliverable by its kind. @param main name of the member shown in large type above the others */
export const Work = ({ work, main = '', name }: { work: Drawn; main?: string; name: string }) => {
  switch (work.kind) {
    case 'rows':
      return <Rows rows={work.rows} main={main} name={name} />
    case 'table':
      return <Table columns={work.columns} rows={work.rows} />
    case 'chart':
      return <Chart {...work} />
    case 'picture':
      return (
        <>
          <Picture picture={work} name={name} />
          <PictureNote picture={work} />
        </>
      )
    case 'markdown':
      return <Folded text={work.text}>{shown => <SetText text={shown} />}</Folded>
    case 'code':
      return <Folded text={work.text}>{shown => <Code text={shown} language={work.language} />}</Folded>
    case 'text':
      return (
        <Folded text={work.text}>
          {shown => (
            <p class="md set">
              <bdi>{toSpoken(shown, shown.length)}</bdi>
            </p>
          )}
        </Folded>
      )
    case 'link':
      return <Leaving url={work.url} />
    case 'calendar':
      return <Calendar work={work} name={name} />
    case 'file':
      return <FileBox {...work} name={name} />
    case 'bytes':
      return <BytesBox {...work} name={name} />
    case 'stored':
      return <StoredFiles ids={work.ids} />
    case 'list':
      return (
        <ul class="chips words">
          {work.items.slice(0, 200).map((it, at) => (
            <li class="tag" key={at}>
              {quoted(toValue(it), 200)}
            </li>
          ))}
        </ul>
      )
    case 'plain':
      return <p class="lead-text">{quoted(toValue(work.value), 400)}</p>
  }
}

/** Rendered Markdown. The parser is loaded on demand; until then, and if it cannot be loaded, the plain text is shown. */
export const SetText = ({ text }: { text: string }) => {
  const [read, setRead] = useState<typeof import('./Markdown.tsx') | undefined>(undefined)
  useEffect(() => void import('./Markdown.tsx').then(setRead, () => undefined), [])
  return read ? <read.Markdown text={text} /> : <p class="md set">{toSpoken(text, text.length)}</p>
}

type RowsProps = { rows: Extract<Drawn, { kind: 'rows' }>['rows']; main: string; name: string }

type Entry = RowsProps['rows'][number]

const unitNames = new Set(['unit', 'units', 'currency'])
/** Maximum length of a unit beside a number. */
const unitChars = 24

const textOf = ({ name, value }: Entry): string => (value.kind === 'plain' ? toValue(value.value, name) : '')

/** The member that names the unit of a number. */
const unitOf = (rows: Entry[], of: Entry | undefined): Entry | undefined =>
  of?.value.kind === 'plain' && typeof of.value.value === 'number'
    ? rows.find(it => unitNames.has(it.name.toLowerCase()) && it.value.kind === 'plain' && textOf(it).length <= unitChars)
    : undefined

const Rows = ({ rows, main, name }: RowsProps) => {
  const [isWhole, setWhole] = useState(false)
  const large = rows.find(it => it.name === main)
  const blocks = rows.filter(it => isBlock(it.value))
  const head = large?.value.kind === 'plain' ? toHeadline(large.value.value, main) : undefined
  const unit = head && unitOf(rows, large)
  // The headline is not repeated below itself.
  const isHead = (it: Entry) => it === unit || (it === large && head?.large === textOf(it))
  const plain = rows.filter(it => !isBlock(it.value) && !isHead(it))
  const shown = isWhole ? plain : plain.slice(0, shownRows)
  return (
    <>
      {head && (
        <p class="big">
          {quoted(head.large, 80)} <small>{unit ? quoted(textOf(unit), unitChars) : head.beside}</small>
        </p>
      )}
      {blocks.map(it => (
        <section key={it.name} class="block">
          {blocks.length + plain.length > 1 && it.value.kind !== 'picture' && (
            <h2 class="label">{quoted(toLabel(it.name), 60)}</h2>
          )}
          <Work work={it.value} name={name} />
        </section>
      ))}
      {shown.length > 0 && (
        <dl class="kv s">
          {shown.map(it => (
            <Pair key={it.name} {...it} />
          ))}
        </dl>
      )}
      {plain.length > shown.length && (
        <Button class="link" onClick={() => setWhole(true)} words={tn(plain.length, 'Show all {n} row|Show all {n} rows')} />
      )}
    </>
  )
}

const Pair = ({ name, value }: { name: string; value: Drawn }) => (
  <>
    <dt>{quoted(toLabel(name), 60)}</dt>
    <dd>
      {value.kind === 'link' ? (
        <Leaving url={value.url} />
      ) : (
        quoted(value.kind === 'plain' ? toValue(value.value, name) : '', 600)
      )}
    </dd>
  </>
)

/** Shows the first lines of a long text; a button shows the rest. */
const Folded = ({ text, children }: { text: string; children: (shown: string) => unknown }) => {
  const [isWhole, setWhole] = useState(false)
  const lines = text.split('\n')
  const isLong = lines.length > foldedLines + 5 || text.length > 4_000
  const shown = isLong && !isWhole ? lines.slice(0, foldedLines).join('\n').slice(0, 2_400) : text
  const words = text.split(/\s+/, 1_000_000).length
  return (
    <>
      {children(shown)}
      {isLong && !isWhole && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {tn(words, 'Show all of it · {n} word|Show all of it · {n} words')} <ChevronIcon />
        </button>
      )}
    </>
  )
}

const Calendar = ({ work: { entries, source }, name }: { work: Extract<Drawn, { kind: 'calendar' }>; name: string }) => (
  <>
    <ul class="entries">
      {entries.map((it, at) => (
        <li key={at}>
          <b>{quoted(it.name || t('Without a name'), 160)}</b>
          <span class="q s">{quoted([toValue(it.at), it.place].filter(Boolean).join(' · '), 200)}</span>
        </li>
      ))}
    </ul>
    <Button
      class="btn small"
      onClick={() => download({ text: source, name: `${name}.ics`, type: 'text/calendar' })}
      icon={<DownloadIcon />}
      words={t('Calendar file')}
    />
  </>
)

const fileKinds = {
  html: { words: 'A page, to be opened and printed', type: 'text/html' },
  csv: { words: 'A table', type: 'text/csv' },
} as const

const BytesBox = ({ type, base64, name }: { type: string; base64: string; name: string }) => {
  const file = `${name}.${toEnding(type)}`
  return (
    <FileRow file={file} words={`${t('A file')} (${type}) · ${kilobytes((base64.length * 3) / 4)}`}>
      {() => download({ text: '', base64, name: file, type })}
    </FileRow>
  )
}

const FileBox = ({ type, source, name }: { type: keyof typeof fileKinds; source: string; name: string }) => (
  <FileRow file={`${name}.${type}`} words={`${t(fileKinds[type].words)} · ${kilobytes(source.length)}`}>
    {() => download({ text: source, name: `${name}.${type}`, type: fileKinds[type].type })}
  </FileRow>
)

const FileRow = ({ file, words, children: save }: { file: string; words: string; children: () => void }) => (
  <div class="row linkbox">
    <span class="grow">
      <b>{file}</b>
      <br />
      <span class="q s">{words}</span>
    </span>
    <Button class="btn small" onClick={save} icon={<DownloadIcon />} words={t('Download')} />
  </div>
)

/** A link from an agent, with its host shown before it is opened. */
const Leaving = ({ url }: { url: string }) => {
  const host = hostOf(url)
  return (
    <div class="row linkbox">
      <span class="grow">
        <b>{quoted(url, 120)}</b>
        <br />
        <span class="q s">
          <Filled words={t('Leads to {host}, outside the marketplace')} of={{ host: <b>{host}</b> }} />
        </span>
      </span>
      {host && (
        <a class="btn small" href={url} target="_blank" rel="noreferrer noopener nofollow">
          {t('Open')} <OutIcon />
        </a>
      )}
    </div>
  )
}

import { toCsv } from '../../domain/text/csv.ts'
import { t } from '../client/words.ts'
import { Button, useCopy } from '../parts/basics.tsx'
import { CheckIcon, CopyIcon, DownloadIcon, RawIcon } from '../parts/icons.tsx'
import { download } from '../parts/strangers.tsx'
import { type Drawn, pictureTypes } from './kinds.ts'
import { toSeen } from './seen.ts'

type ToolsProps = { text: string; work: Drawn; isRaw: boolean; setRaw(it: boolean): void; name: string }

type ResultFile = { text: string; base64?: string; ending: string; type: string }

/** The file name extension of a media type: `pdf` of `application/pdf`; `bin` of a type that has a compound name. */
export const toEnding = (type: string): string => /\/([a-z0-9]{1,5})$/.exec(type)?.[1] ?? 'bin'

/** Returns the content, file name extension and media type of a downloaded result. */
const fileOf = (text: string, work: Drawn): ResultFile => {
  if (work.kind === 'picture' && work.source.startsWith('<')) return { text: work.source, ending: 'svg', type: pictureTypes.svg }
  if (work.kind === 'picture') return { text, base64: work.source, ending: work.type, type: pictureTypes[work.type] }
  if (work.kind === 'bytes') return { text, base64: work.base64, ending: toEnding(work.type), type: work.type }
  if (work.kind === 'markdown') return { text: work.text, ending: 'md', type: 'text/markdown' }
  if (work.kind === 'calendar') return { text: work.source, ending: 'ics', type: 'text/calendar' }
  if (work.kind === 'file') return { text: work.source, ending: work.type, type: 'text/plain' }
  const isJson = /^\s*[{[]/.test(text)
  return { text, ending: isJson ? 'json' : 'txt', type: isJson ? 'application/json' : 'text/plain' }
}

export const Tools = ({ text, work, isRaw, setRaw, name }: ToolsProps) => {
  const [isCopied, copy] = useCopy()
  const file = fileOf(text, work)
  // What is copied is what is shown: the values in words, or the deliverable as it came.
  const copyWords = !isRaw ? 'Copy the result' : file.ending === 'json' ? 'Copy as JSON' : 'Copy it as it came'
  const table = work.kind === 'chart' ? work.table : work
  return (
    <span class="tools">
      {'columns' in table && (
        <Button
          class="btn small"
          onClick={() => download({ text: toCsv(table), name: `${name}.csv`, type: 'text/csv' })}
          icon={<DownloadIcon />}
          words="CSV"
        />
      )}
      <button
        type="button"
        class="icon-btn"
        aria-label={t(isCopied ? 'Copied' : copyWords)}
        title={t(copyWords)}
        onClick={() => copy((isRaw ? undefined : toSeen(work)) ?? file.text)}
      >
        {isCopied ? <CheckIcon /> : <CopyIcon />}
      </button>
      <Button
        class="icon-btn"
        aria-label={t('Download the result')}
        title={t('Download')}
        onClick={() => download({ ...file, name: `${name}.${file.ending}` })}
        icon={<DownloadIcon />}
      />
      <Button
        class="icon-btn"
        aria-label={t('Show it as it came')}
        title={t('As it came')}
        aria-pressed={isRaw ? 'true' : 'false'}
        onClick={() => setRaw(!isRaw)}
        icon={<RawIcon />}
      />
    </span>
  )
}

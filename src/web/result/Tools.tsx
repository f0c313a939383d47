import { useCopy } from '../parts/basics.tsx'
import { CheckIcon, CopyIcon, DownloadIcon, RawIcon } from '../parts/icons.tsx'
import { download } from '../parts/strangers.tsx'
import { toCsv } from './csv.ts'
import type { Drawn } from './kinds.ts'

type ToolsProps = { text: string; work: Drawn; isRaw: boolean; setRaw(it: boolean): void; name: string }

/** Returns the text, file name extension and media type of a downloaded result. */
const fileOf = (text: string, work: Drawn): { text: string; ending: string; type: string } => {
  if (work.kind === 'picture' && work.type === 'svg' && work.source.startsWith('<'))
    return { text: work.source, ending: 'svg', type: 'image/svg+xml' }
  if (work.kind === 'markdown') return { text: work.text, ending: 'md', type: 'text/markdown' }
  if (work.kind === 'calendar') return { text: work.source, ending: 'ics', type: 'text/calendar' }
  if (work.kind === 'file') return { text: work.source, ending: work.type, type: 'text/plain' }
  const isJson = /^\s*[{[]/.test(text)
  return { text, ending: isJson ? 'json' : 'txt', type: isJson ? 'application/json' : 'text/plain' }
}

/** Buttons to copy and download a result, and to show it as it came. */
export const Tools = ({ text, work, isRaw, setRaw, name }: ToolsProps) => {
  const [isCopied, copy] = useCopy()
  const file = fileOf(text, work)
  const table = work.kind === 'chart' ? work.table : work
  return (
    <span class="tools">
      {'columns' in table && (
        <button
          type="button"
          class="btn small"
          onClick={() => download({ text: toCsv(table), name: `${name}.csv`, type: 'text/csv' })}
        >
          <DownloadIcon /> CSV
        </button>
      )}
      <button
        type="button"
        class="icon-btn"
        aria-label={isCopied ? 'Copied' : 'Copy the result'}
        title="Copy"
        onClick={() => copy(file.text)}
      >
        {isCopied ? <CheckIcon /> : <CopyIcon />}
      </button>
      <button
        type="button"
        class="icon-btn"
        aria-label="Download the result"
        title="Download"
        onClick={() => download({ text: file.text, name: `${name}.${file.ending}`, type: file.type })}
      >
        <DownloadIcon />
      </button>
      <button
        type="button"
        class="icon-btn"
        aria-label="Show it as it came"
        title="As it came"
        aria-pressed={isRaw ? 'true' : 'false'}
        onClick={() => setRaw(!isRaw)}
      >
        <RawIcon />
      </button>
    </span>
  )
}

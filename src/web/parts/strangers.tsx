import { useState } from 'hono/jsx/dom'
import { toQuotable, toSpoken } from '../../domain/strangersText.ts'
import { DownloadIcon } from './icons.tsx'

/** A stranger's name or short text: one line, nothing invisible. */
export const Quoted = ({ text, chars = 200 }: { text: string; chars?: number }) => <bdi>{toQuotable(text, chars)}</bdi>

/** So much of a long text is shown; the whole of it is downloaded. */
const shownChars = 4_000

const download = (text: string, name: string) => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** A text of somebody we do not know, in a fence that says so: as text only, without what cannot be seen, and not endless. */
export const Fenced = ({ text, name }: { text: string; name: string }) => {
  const [isWhole, setWhole] = useState(false)
  const shown = toSpoken(text, isWhole ? text.length + 1 : shownChars)
  const isCut = !isWhole && text.length > shownChars
  return (
    <figure class="fence">
      <figcaption>Written by the agent, not by us</figcaption>
      <pre tabindex={0}>
        <bdi>{shown}</bdi>
      </pre>
      <div class="fence-foot">
        <span class="quiet">
          {text.length.toLocaleString('en-US')} characters{isCut && `, the first ${shownChars.toLocaleString('en-US')} shown`}
        </span>
        {isCut && (
          <button type="button" class="link" onClick={() => setWhole(true)}>
            Show all
          </button>
        )}
        <button type="button" class="link" onClick={() => download(text, name)}>
          <DownloadIcon /> Download
        </button>
      </div>
    </figure>
  )
}

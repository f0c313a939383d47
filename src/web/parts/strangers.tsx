import { toQuotable, toSpoken } from '../../domain/quotableText.ts'
import { toCount } from '../client/format.ts'
import { DownloadIcon } from './icons.tsx'

/** A stranger's name or short text: one line, nothing invisible. */
export const Quoted = ({ text, chars = 200 }: { text: string; chars?: number }) => <bdi>{toQuotable(text, chars)}</bdi>

/** So much of a long text is shown; the whole of it is downloaded. */
const shownChars = 4_000

/** Gives a text to the browser as a file. */
export const download = ({ text, name, type = 'text/plain' }: { text: string; name: string; type?: string }): void => {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** A text of somebody we do not know, in a fence that says so: as text only, without what cannot be seen, and not endless. */
export const Fenced = ({ text, name }: { text: string; name: string }) => {
  const isCut = text.length > shownChars
  return (
    <figure class="fence">
      <figcaption>Written by the agent, not by us</figcaption>
      <pre tabindex={0}>
        <bdi>{toSpoken(text, shownChars)}</bdi>
      </pre>
      <div class="fence-foot">
        <span class="q xs">
          {toCount(text.length, 'character')}
          {isCut && `, the first ${shownChars.toLocaleString('en-US')} shown`}
        </span>
        <button type="button" class="link" onClick={() => download({ text, name })}>
          <DownloadIcon /> Download
        </button>
      </div>
    </figure>
  )
}

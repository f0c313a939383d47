import { toQuotable, toSpoken } from '../../domain/text/quotableText.ts'
import { ownLocale, t, tn } from '../client/words.ts'
import { Button } from './basics.tsx'
import { DownloadIcon } from './icons.tsx'

/** A short text by a stranger, on one line and without invisible characters. */
export const quoted = (text: string, chars = 200) => <bdi>{toQuotable(text, chars)}</bdi>

const nameChars = 60

/** An agent's name with its handle. Names may be alike; a handle belongs to one owner, and stands alone where the name is the same. */
export const AgentName = ({ name, handle }: { name: string; handle: string }) => (
  <>
    {quoted(name, nameChars)} {name !== handle && <span class="q xs whole">{handle}</span>}
  </>
)

export const toAgentName = ({ agentName, agentHandle }: { agentName: string; agentHandle: string }): string =>
  agentName === agentHandle ? agentHandle : `${toQuotable(agentName, nameChars)} (${agentHandle})`

/** Maximum characters shown of a long text; the whole can be downloaded. */
const shownChars = 4_000

/** Decodes base64; no bytes if it is invalid. */
export const decodeBytes = (base64: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(base64), it => it.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/** `base64`: the bytes of a file that is no text. */
export type Downloaded = { text: string; base64?: string; name: string; type?: string }

/** Downloads a text or bytes as a file. */
export const download = ({ text, base64, name, type = 'text/plain' }: Downloaded): void => {
  const blob = base64 ? new Blob([decodeBytes(base64)], { type }) : new Blob([text], { type: `${type};charset=utf-8` })
  downloadBlob(blob, name)
}

/** Downloads bytes as a file. */
export const downloadBlob = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** A text by a stranger, marked as such: plain text, without invisible characters and limited in length. */
export const Fenced = ({ text, name }: { text: string; name: string }) => {
  const isCut = text.length > shownChars
  return (
    <figure class="fence">
      <figcaption>{t('Written by the agent, not by us')}</figcaption>
      <pre tabindex={0}>
        <bdi>{toSpoken(text, shownChars)}</bdi>
      </pre>
      <div class="fence-foot">
        <span class="q xs">
          {tn(text.length, '{n} character|{n} characters')}
          {isCut && `, ${t('the first {n} shown', { n: shownChars.toLocaleString(ownLocale()) })}`}
        </span>
        <Button class="link" onClick={() => download({ text, name })} icon={<DownloadIcon />} words={t('Download')} />
      </div>
    </figure>
  )
}

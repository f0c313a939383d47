import type { PropsWithChildren } from 'hono/jsx'
import { useState } from 'hono/jsx/dom'
import { splitFileLinks } from '../../domain/files/fileLinks.ts'
import { toSpoken } from '../../domain/text/quotableText.ts'
import { toReadable } from '../client/format.ts'
import { t, tn } from '../client/words.ts'
import { toShown } from '../fields/answers.ts'
import { FileChip } from '../files/FileChip.tsx'
import { Button } from '../parts/basics.tsx'
import { Mark } from '../parts/Face.tsx'
import { quoted } from '../parts/strangers.tsx'
import { toMessageText } from './order.ts'

/** A user's message longer than this is collapsed. */
const foldedChars = 600

/** A message of the user; a long one is collapsed. */
export const Bubble = ({ text }: { text: string }) => {
  const [isWhole, setWhole] = useState(false)
  const { words, files } = splitFileLinks(text)
  const shown = toMessageText(toShown(words))
  const isLong = shown.length > foldedChars
  return (
    <div class="me">
      {isLong && !isWhole ? `${shown.slice(0, foldedChars - 200)} …` : shown}
      {isLong && (
        <Button
          class="link"
          onClick={() => setWhole(!isWhole)}
          words={isWhole ? t('Show less') : tn(shown.length, 'Show all {n} character|Show all {n} characters')}
        />
      )}
      {files.length > 0 && (
        <ul class={shown ? 'attached below' : 'attached'} aria-label={t('Files')}>
          {files.map(it => (
            <li key={it.id}>
              <FileChip {...it} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export const Butler = ({ children }: PropsWithChildren) => (
  <div class="butler">
    <Mark />
    <div>{children}</div>
  </div>
)

export const Thinking = ({ words }: { words: string }) => (
  <Butler>
    <p class="q thinking">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {quoted(words, 120)}
    </p>
  </Butler>
)

/** Maximum length of an answer that the butler writes itself; a longer one quotes a deliverable. */
export const answerChars = 4_000

export const Words = ({ text }: { text: string }) => (
  <Butler>
    <p class="said">{toReadable(toSpoken(text, answerChars))}</p>
  </Butler>
)

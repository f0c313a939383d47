import { useState } from 'hono/jsx/dom'
import { toSpoken } from '../../../domain/text/quotableText.ts'
import { t, tn } from '../../client/words.ts'
import { Button } from '../../parts/basics.tsx'

const shownLines = 20
const mostLines = 2_000

/** A text with the numbers of its lines. Whatever markup it has is text. */
export const Lines = ({ text, name }: { text: string; name: string }) => {
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

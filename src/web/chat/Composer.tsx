import { useRef } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { useDraft, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { textOf } from '../parts/basics.tsx'
import { CrossIcon, UpIcon } from '../parts/icons.tsx'

type ComposerProps = {
  say(text: string): Promise<void>
  /** The initial text. */
  draft: string
  /** Key of the conversation, under which an unsent text is kept. */
  name: string
}

/** Maximum height of the field in px; it grows with its text. */
const maxHeight = 200

/** The field for the user's message. Enter sends it; Shift+Enter inserts a line break. */
export const Composer = ({ say, draft, name }: ComposerProps) => {
  const [text, setText] = useDraft(`message ${name}`, draft)
  const field = useRef<HTMLTextAreaElement>(null)
  const work = useWork()
  useEffect(() => {
    const { current } = field
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${Math.min(current.scrollHeight, maxHeight)}px`
  }, [text])
  const send = (event: Event) => {
    event.preventDefault()
    const said = text.trim()
    if (!said || work.busy) return
    // The button is about to be disabled and would lose the focus.
    field.current?.focus()
    setText('')
    work.run(() =>
      say(said).catch(error => {
        setText(said)
        throw error
      }),
    )
  }
  return (
    <div class="composer">
      {work.error && (
        <p class="say-so" role="alert">
          <CrossIcon /> <span>{work.error}</span>
        </p>
      )}
      <form onSubmit={send}>
        <label class="vh" for="say">
          Tell your butler
        </label>
        <textarea
          id="say"
          ref={field}
          rows={1}
          placeholder="Tell your butler what you need"
          value={text}
          onInput={event => setText(textOf(event))}
          onKeyDown={event => event.key === 'Enter' && !event.shiftKey && !event.isComposing && send(event)}
        />
        <button type="submit" class="send" disabled={work.busy || !text.trim()} aria-label={t('Send')}>
          <UpIcon />
        </button>
      </form>
    </div>
  )
}

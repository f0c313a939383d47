import { useRef } from 'hono/jsx/dom'
import { useDraft, useWork } from '../client/reach.ts'
import { Notice, textOf } from '../parts/basics.tsx'
import { SendIcon } from '../parts/icons.tsx'

type ComposerProps = {
  say(text: string): Promise<void>
  /** Words to begin with. */
  draft: string
  /** Says which conversation is written to: what is not sent yet is kept for it. */
  name: string
}

/** Where the user writes. Enter sends, with Shift it is a line break. */
export const Composer = ({ say, draft, name }: ComposerProps) => {
  const [text, setText] = useDraft(`message ${name}`, draft)
  const field = useRef<HTMLTextAreaElement>(null)
  const work = useWork()
  const send = (event: Event) => {
    event.preventDefault()
    const said = text.trim()
    if (!said || work.busy) return
    // The button is disabled meanwhile, and would lose the focus to nothing.
    field.current?.focus()
    work.run(async () => {
      await say(said)
      setText('')
    })
  }
  return (
    <form class="composer" onSubmit={send}>
      {work.error && <Notice kind="error">{work.error}</Notice>}
      <div class="composer-box">
        <label class="unseen" for="say">
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
        <button type="submit" class="primary round" disabled={work.busy || !text.trim()} aria-label="Send">
          <SendIcon />
        </button>
      </div>
    </form>
  )
}

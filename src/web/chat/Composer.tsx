import { useState } from 'hono/jsx/dom'
import { useWork } from '../client/reach.ts'
import { Notice, textOf } from '../parts/basics.tsx'
import { SendIcon } from '../parts/icons.tsx'

/** Where the user writes. Enter sends, with Shift it is a line break. */
export const Composer = ({ say, draft }: { say(text: string): Promise<void>; draft: string }) => {
  const [text, setText] = useState(draft)
  const work = useWork()
  const send = (event: Event) => {
    event.preventDefault()
    const said = text.trim()
    if (!said || work.busy) return
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

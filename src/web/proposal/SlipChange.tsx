import { useState } from 'hono/jsx/dom'
import { t } from '../client/words.ts'
import { Button, textOf } from '../parts/basics.tsx'

type ChangeProps = { busy: boolean; example: string; say(text: string): void; leave(): void }

/** A field for changes in words, such as another agent or another price. */
export const SlipChange = ({ busy, example, say, leave }: ChangeProps) => {
  const [text, setText] = useState('')
  const send = (event: Event) => {
    event.preventDefault()
    if (text.trim()) say(text.trim())
  }
  return (
    <form class="change" onSubmit={send}>
      <label class="label" for="change">
        {t('What should be different?')}
      </label>
      <input
        id="change"
        class="in small"
        value={text}
        autofocus
        onInput={event => setText(textOf(event))}
        placeholder={example}
      />
      <div class="row">
        <Button type="submit" class="btn small" disabled={busy || !text.trim()} words={t('Ask for new terms')} />
        <Button class="link" onClick={leave} words={t('Back')} />
      </div>
    </form>
  )
}

import { useRef } from 'hono/jsx/dom'
import { withFileLinks } from '../../domain/files/fileLinks.ts'
import { useEffect } from '../client/effects.ts'
import { useDraft, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { AttachButtons, AttachedFiles, DropPlace } from '../files/Attach.tsx'
import { toLinks, tray, useTray } from '../files/tray.ts'
import { Button, Fault, textOf } from '../parts/basics.tsx'
import { UpIcon } from '../parts/icons.tsx'

type ComposerProps = {
  say(text: string): Promise<void>
  draft: string
  name: string
}

/** Maximum height of the field in px; it grows with its text. */
const maxHeight = 200

/** Pasted files are added; a pasted text that comes with a picture of itself, as spreadsheets do, stays text. */
const pasteFiles = (event: ClipboardEvent, add: (files: Iterable<File>) => void) => {
  const files = event.clipboardData?.files
  if (!files || files.length === 0 || event.clipboardData?.types.includes('text/plain')) return
  event.preventDefault()
  add(files)
}

/** The text and files of a message that is not sent yet, and what sends it. */
const useMessage = ({ say, draft, name }: ComposerProps) => {
  const [text, setText] = useDraft(`message ${name}`, draft)
  const field = useRef<HTMLTextAreaElement>(null)
  const work = useWork()
  const { attached, isSending, add } = useTray()
  const message = withFileLinks(text, toLinks(attached))
  const isOff = work.busy || isSending || !message
  useEffect(() => {
    const { current } = field
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${Math.min(current.scrollHeight, maxHeight)}px`
  }, [text])
  const send = (event: Event) => {
    event.preventDefault()
    if (isOff) return
    // The button is about to be disabled and would lose the focus.
    field.current?.focus()
    setText('')
    work.run(() =>
      say(message).then(tray.clear, error => {
        setText(text)
        throw error
      }),
    )
  }
  return { text, setText, field, error: work.error, attached, add, isOff, send }
}

/** The field for the user's message. Enter sends it; Shift+Enter inserts a line break. */
export const Composer = (props: ComposerProps) => {
  const { text, setText, field, error, attached, add, isOff, send } = useMessage(props)
  return (
    <div class="composer">
      <Fault error={error} />
      <DropPlace add={add} />
      <form onSubmit={send}>
        <AttachedFiles attached={attached} />
        <AttachButtons add={add} />
        <label class="vh" for="say">
          {t('Tell your butler')}
        </label>
        <textarea
          id="say"
          ref={field}
          rows={1}
          placeholder={t('Tell your butler what you need')}
          value={text}
          onPaste={(event: ClipboardEvent) => pasteFiles(event, add)}
          onInput={event => setText(textOf(event))}
          onKeyDown={event => event.key === 'Enter' && !event.shiftKey && !event.isComposing && send(event)}
        />
        <Button type="submit" class="send" disabled={isOff} aria-label={t('Send')} icon={<UpIcon />} />
      </form>
    </div>
  )
}

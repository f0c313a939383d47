import { useState } from 'hono/jsx/dom'
import { useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, textOf } from '../parts/basics.tsx'
import { CrossIcon, PenIcon } from '../parts/icons.tsx'

type EditsProps = { id: string; title: string }

const mostChars = 200

export const ConversationEdits = ({ id, title }: EditsProps) => {
  const [doing, setDoing] = useState<'rename' | 'delete' | undefined>(undefined)
  const leave = () => setDoing(undefined)
  if (doing === 'rename') return <Renaming id={id} title={title} leave={leave} />
  if (doing === 'delete') return <Deletion id={id} leave={leave} />
  return (
    <span class="conv-edits">
      <Button class="icon-btn" aria-label={t('Rename this conversation')} onClick={() => setDoing('rename')} icon={<PenIcon />} />
      <Button
        class="icon-btn"
        aria-label={t('Delete this conversation')}
        onClick={() => setDoing('delete')}
        icon={<CrossIcon />}
      />
    </span>
  )
}

const pathOf = (id: string): string => `/conversations/${encodeURIComponent(id)}`

/** An empty title brings back that of the first message. */
const Renaming = ({ id, title, leave }: EditsProps & { leave(): void }) => {
  const { api, conversations } = useReach()
  const [text, setText] = useState(title)
  const work = useWork()
  const save = (event: Event) => {
    event.preventDefault()
    work.run(async () => {
      await api.put(pathOf(id), { title: text })
      await conversations.reload()
      conversations.changed()
      leave()
    })
  }
  return (
    <form class="conv-ask" onSubmit={save} onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && leave()}>
      <input
        class="in small"
        aria-label={t('Title')}
        autofocus
        autocomplete="off"
        maxlength={mostChars}
        value={text}
        onInput={(event: Event) => setText(textOf(event))}
      />
      {work.error && (
        <p class="xs" role="alert">
          {work.error}
        </p>
      )}
      <span class="row">
        <Button type="submit" class="btn small" disabled={work.busy} words={t('Save')} />
        <Button class="btn small" onClick={leave} words={t('Keep')} />
      </span>
    </form>
  )
}

const Deletion = ({ id, leave }: { id: string; leave(): void }) => {
  const { api, router, conversations } = useReach()
  const work = useWork()
  const remove = () =>
    work.run(async () => {
      await api.remove(pathOf(id))
      router.go('/')
      conversations.changed()
    })
  return (
    <p class="conv-ask xs" role="alert">
      {work.error ?? t('Its jobs and receipts stay.')}
      <span class="row">
        <Button class="btn small danger" disabled={work.busy} onClick={remove} words={t('Delete')} />
        <Button class="btn small" onClick={leave} words={t('Keep')} />
      </span>
    </p>
  )
}

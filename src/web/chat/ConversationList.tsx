import { useRef, useState } from 'hono/jsx/dom'
import type { ConversationRecord } from '../../records/conversation.ts'
import { useEffect } from '../client/effects.ts'
import { createLater } from '../client/later.ts'
import { useConversations } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Link, Time, textOf } from '../parts/basics.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Opened } from '../parts/Opened.tsx'
import { quoted } from '../parts/strangers.tsx'
import { toMessageText } from './order.ts'

/** Loaded when a conversation is open. */
const edits = createLater(() => import('./ConversationEdits.tsx'))

type ListProps = { current: string | undefined; isOpen: boolean }

/** Conversations drawn at first, and added whenever the end of the list comes near. */
const step = 40

/** The list can be searched when it has this many. */
const fewestSought = 8

const hasWords = ({ title, last_message }: ConversationRecord, words: string): boolean => {
  const text = `${title} ${last_message}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every(it => text.includes(it))
}

/** The user's conversations, newest first. Those that changed since their last visit are marked. */
export const ConversationList = ({ current, isOpen }: ListProps) => {
  const { list, error, unread } = useConversations()
  const [shown, setShown] = useState(step)
  const [sought, setSought] = useState('')
  const found = list?.filter(it => hasWords(it, sought))
  const isWhole = found === undefined || found.length <= shown
  return (
    <nav id="conversations" class={`convs ${isOpen ? 'open' : ''}`} aria-label={t('Conversations')}>
      <Link to="/" class="btn small" current={current === undefined} icon={<PlusIcon />} words={t('New conversation')} />
      {list && list.length >= fewestSought && (
        <input
          class="in small"
          type="search"
          aria-label={t('Search conversations')}
          placeholder={t('Search conversations')}
          value={sought}
          onInput={(event: Event) => setSought(textOf(event))}
        />
      )}
      <ul>
        {found?.slice(0, shown).map(it => (
          <li key={it.conversation_id} class="conv">
            <Link to={`/app/c/${encodeURIComponent(it.conversation_id)}`} current={it.conversation_id === current}>
              <span>
                {unread.has(it.conversation_id) && it.conversation_id !== current && (
                  <i class="unread" aria-label={t('New: ')} role="img" />
                )}
                {quoted(toMessageText(it.title), 90)}
              </span>
              <small>
                <Time at={it.updated_at} />
                <Outcome state={it.job_state} />
              </small>
            </Link>
            {it.conversation_id === current && (
              <Opened part={edits} isQuiet>
                {of => <of.ConversationEdits id={it.conversation_id} title={toMessageText(it.title)} />}
              </Opened>
            )}
          </li>
        ))}
      </ul>
      {!isWhole && <More key={shown} more={() => setShown(shown + step)} />}
      {error && !list && <p class="q">{error}</p>}
    </nav>
  )
}

/** What came of the job that a conversation was about. */
const Outcome = ({ state = '' }: { state: string | undefined }) => {
  if (state === 'settled') return <> · {t('done and paid')}</>
  if (state === 'refunded' || state === 'cancelled') return <> · {t('Money back').toLowerCase()}</>
  return state === '' ? null : <> · {t('at work')}</>
}

/** Draws more of the list when it comes into view, or is pressed. */
const More = ({ more }: { more(): void }) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const watch = new IntersectionObserver(found => found.some(it => it.isIntersecting) && more())
    if (button.current) watch.observe(button.current)
    return () => watch.disconnect()
  }, [])
  return <Button class="link" ref={button} onClick={more} words={t('Older conversations')} />
}

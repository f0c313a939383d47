import { useRef, useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { useConversations } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Link, Time } from '../parts/basics.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { toMessageText } from './order.ts'

type ListProps = { current: string | undefined; isOpen: boolean }

/** Conversations drawn at first, and added whenever the end of the list comes near. */
const step = 40

/** The user's conversations, newest first. Those that changed since their last visit are marked. */
export const ConversationList = ({ current, isOpen }: ListProps) => {
  const { list, error, unread } = useConversations()
  const [shown, setShown] = useState(step)
  const isWhole = list === undefined || list.length <= shown
  return (
    <nav id="conversations" class={`convs ${isOpen ? 'open' : ''}`} aria-label={t('Conversations')}>
      <Link to="/" class="btn small" current={current === undefined}>
        <PlusIcon /> {t('New conversation')}
      </Link>
      <ul>
        {list?.slice(0, shown).map(it => (
          <li key={it.conversation_id}>
            <Link to={`/app/c/${encodeURIComponent(it.conversation_id)}`} current={it.conversation_id === current}>
              <span>
                {unread.has(it.conversation_id) && it.conversation_id !== current && (
                  <i class="unread" aria-label="New: " role="img" />
                )}
                <Quoted text={toMessageText(it.title)} chars={90} />
              </span>
              <small>
                <Time at={it.updated_at} />
              </small>
            </Link>
          </li>
        ))}
      </ul>
      {!isWhole && <More key={shown} more={() => setShown(shown + step)} />}
      {error && !list && <p class="q">{error}</p>}
    </nav>
  )
}

/** Draws more of the list when it comes into view, or is pressed. */
const More = ({ more }: { more(): void }) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const watch = new IntersectionObserver(found => found.some(it => it.isIntersecting) && more())
    if (button.current) watch.observe(button.current)
    return () => watch.disconnect()
  }, [])
  return (
    <button type="button" class="link" ref={button} onClick={more}>
      {t('Older conversations')}
    </button>
  )
}

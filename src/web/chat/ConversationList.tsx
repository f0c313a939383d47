import { useConversations } from '../client/reach.ts'
import { Link, Time } from '../parts/basics.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { toMessageText } from './order.ts'

type ListProps = { current: string | undefined; isOpen: boolean }

/** The user's conversations, newest first. Those that changed since their last visit are marked. */
export const ConversationList = ({ current, isOpen }: ListProps) => {
  const { list, error, unread } = useConversations()
  return (
    <nav id="conversations" class={`convs ${isOpen ? 'open' : ''}`} aria-label="Conversations">
      <Link to="/" class="btn small" current={current === undefined}>
        <PlusIcon /> New conversation
      </Link>
      <ul>
        {list?.map(it => (
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
      {error && !list && <p class="q">{error}</p>}
    </nav>
  )
}

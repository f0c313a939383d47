import { useEffect } from 'hono/jsx/dom'
import type { ConversationRecord as Conversation } from '../../records/conversation.ts'
import { useLoaded } from '../client/reach.ts'
import { Link, Time } from '../parts/basics.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { toMessageText } from './order.ts'

type ListProps = { current: string | undefined; round: number; isOpen: boolean }

/** The user's conversations, newest first. The list is read again after each message. */
export const ConversationList = ({ current, round, isOpen }: ListProps) => {
  const { value, error, reload } = useLoaded<{ conversations: Conversation[] }>('/conversations')
  useEffect(() => {
    if (round > 0) reload()
  }, [round, current])
  return (
    <nav id="conversations" class={`convs ${isOpen ? 'open' : ''}`} aria-label="Conversations">
      <Link to="/" class="btn small" current={current === undefined}>
        <PlusIcon /> New conversation
      </Link>
      <ul>
        {value?.conversations.map(it => (
          <li key={it.conversation_id}>
            <Link to={`/app/c/${encodeURIComponent(it.conversation_id)}`} current={it.conversation_id === current}>
              <span>
                <Quoted text={toMessageText(it.title)} chars={90} />
              </span>
              <small>
                <Time at={it.updated_at} />
              </small>
            </Link>
          </li>
        ))}
      </ul>
      {error && <p class="q">{error}</p>}
    </nav>
  )
}

import { useEffect, useState } from 'hono/jsx/dom'
import { useLoaded } from '../client/reach.ts'
import type { Conversation } from '../client/wire.ts'
import { Link, Time } from '../parts/basics.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'

/** Everything the user talked about, newest first; read again when something was said. */
export const ConversationList = ({ current, round }: { current: string | undefined; round: number }) => {
  const [isOpen, setOpen] = useState(false)
  const { value, error, reload } = useLoaded<{ conversations: Conversation[] }>('/conversations')
  useEffect(() => {
    if (round > 0) reload()
  }, [round, current])
  useEffect(() => setOpen(false), [current])
  return (
    <nav class="conversations" aria-label="Conversations">
      <div class="row">
        <Link to="/" class="button" current={current === undefined}>
          <PlusIcon /> New conversation
        </Link>
        <button type="button" class="drawer" aria-expanded={isOpen ? 'true' : 'false'} onClick={() => setOpen(!isOpen)}>
          All
        </button>
      </div>
      <ul class={`plain ${isOpen ? 'open' : ''}`}>
        {value?.conversations.map(it => (
          <li key={it.conversation_id}>
            <Link to={`/app/c/${encodeURIComponent(it.conversation_id)}`} current={it.conversation_id === current}>
              <span class="line">
                <Quoted text={it.title} chars={90} />
              </span>
              <span class="quiet">
                <Time at={it.updated_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {error && <p class="quiet">{error}</p>}
    </nav>
  )
}

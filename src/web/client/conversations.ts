import type { ConversationRecord as Conversation, ConversationsRecord } from '../../records/conversation.ts'
import type { Api } from './api.ts'
import { type Session, walletOf } from './session.ts'

export type Known = { list: Conversation[] | undefined; error: string | undefined; unread: ReadonlySet<string> }
export type Conversations = ReturnType<typeof createConversations>

/** Interval in ms at which the list is read again, because a job may end or another device may write. */
const pollMs = 10_000
/** Maximum number of conversations whose last visit is kept. */
const maxSeen = 200
const nothing: Known = { list: undefined, error: undefined, unread: new Set() }

/** The newest message that the user saw, by conversation, in the time of the service. `since`: what is older than the first visit is not new. */
type Seen = { since: string; at: Record<string, string> }

type Deps = { api: Pick<Api, 'get'>; session: Session; storage: Storage; toWords(error: unknown): string }

/**
 * Reads the user's conversations while somebody looks at them, and knows which have changed since their last visit in this browser.
 * Tabs of one browser tell each other about new messages at once.
 */
export const createConversations = ({ api, session, storage, toWords }: Deps) => {
  const listeners = new Set<() => void>()
  const channel = new BroadcastChannel('conversations')
  let known = nothing
  let owner: string | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const key = () => `seen ${walletOf(session.token() ?? '')}`
  const publish = ({ list, error }: Omit<Known, 'unread'>) => {
    known = { list, error, unread: list ? unreadIn(list, seenIn(storage, key(), list)) : nothing.unread }
    for (const listener of listeners) listener()
  }
  const reload = async () => {
    const token = session.token()
    if (owner !== token) publish({ list: undefined, error: undefined })
    owner = token
    if (!token) return
    try {
      const { conversations } = await api.get<ConversationsRecord>('/conversations')
      if (token === session.token()) publish({ list: conversations, error: undefined })
    } catch (error) {
      publish({ list: known.list, error: toWords(error) })
    }
  }
  channel.onmessage = () => void reload()
  addEventListener('online', () => void reload())
  addEventListener('storage', event => event.key === key() && publish(known))
  return {
    known: () => known,
    reload,
    /** Call after a message was sent: the other tabs read the list again, too. */
    changed: () => {
      channel.postMessage('changed')
      void reload()
    },
    /** Marks a conversation as read. The page calls it while it shows the conversation. */
    see: (id: string) => {
      const newest = known.list?.find(it => it.conversation_id === id)?.updated_at
      if (!known.list || !newest || !known.unread.has(id)) return
      const { since, at } = seenIn(storage, key(), known.list)
      const kept = Object.entries({ ...at, [id]: newest }).slice(-maxSeen)
      storage.setItem(key(), JSON.stringify({ since, at: Object.fromEntries(kept) }))
      publish(known)
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      if (listeners.size === 1) {
        void reload()
        timer = setInterval(() => void reload(), pollMs)
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearInterval(timer)
      }
    },
  }
}

/** Reads when the user saw what; it begins with the first visit. */
const seenIn = (storage: Storage, key: string, list: Conversation[]): Seen => {
  const kept = storage.getItem(key)
  if (kept) return JSON.parse(kept)
  const first: Seen = { since: list[0]?.updated_at ?? '', at: {} }
  storage.setItem(key, JSON.stringify(first))
  return first
}

const unreadIn = (list: Conversation[], { since, at }: Seen): ReadonlySet<string> =>
  new Set(list.filter(it => it.updated_at > (at[it.conversation_id] ?? since)).map(it => it.conversation_id))

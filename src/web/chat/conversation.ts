import { useCallback, useRef, useState } from 'hono/jsx/dom'
import type { ButlerRecord as Butlers, MessageRecord as Message } from '../../records/conversation.ts'
import type { WalletRecord as Wallet } from '../../records/withdrawal.ts'
import { type Loaded, useConversations, useLoaded, useReach } from '../client/reach.ts'
import type { Say } from './Turns.tsx'

type History = Loaded<{ messages: Message[] }>

const runsOf = ({ value }: History, begun: string[]): string[] => [
  ...new Set([...(value?.messages ?? []).map(it => it.run_id), ...begun].filter(Boolean)),
]

const { timeZone: time_zone } = new Intl.DateTimeFormat().resolvedOptions()

/** A message that was just sent in the conversation `of`. */
type Pending = { of: string | undefined; text: string; runId?: string }

/** The chain of the user's active butler; undefined where one chain is served, or no butler was chosen. */
const useChain = (): number | undefined => {
  const balances = useLoaded<Wallet>('/v1/wallets/me').value?.balances ?? []
  return useLoaded<Butlers>(balances.length > 1 ? '/butler' : undefined).value?.chain_id
}

/**
 * Returns the runs of a conversation and functions to send messages. A conversation without an id is created by its first
 * message. Messages of another tab or program are read when the list of conversations shows them.
 */
export const useConversation = (id: string | undefined) => {
  const { api, router, conversations } = useReach()
  const { list } = useConversations()
  const version = useRef(0)
  const history: History = useLoaded(id && `/conversations/${encodeURIComponent(id)}/history`, version.current)
  const said = list?.find(it => it.conversation_id === id)?.message_count ?? 0
  if (history.value && said > history.value.messages.length) version.current = said
  const [begun, setBegun] = useState<{ of: string | undefined; runs: string[] }>({ of: id, runs: [] })
  const [pending, setPending] = useState<Pending | undefined>(undefined)
  const [round, setRound] = useState(0)
  const chain_id = useChain()
  const mine = begun.of === id ? begun.runs : []
  const say: Say = async (message, digest, key) => {
    const conversation_id = id ?? `web-${crypto.randomUUID()}`
    setPending({ of: id, text: message })
    try {
      const said = { ...(chain_id && { chain_id }), message, conversation_id, time_zone, ...(digest && { digest }) }
      const { run_id } = await api.post<{ run_id: string }>('/invoke', { ...said, wait_ms: 0 }, key)
      setPending({ of: conversation_id, text: message, runId: run_id })
      setBegun({ of: conversation_id, runs: [...mine, run_id] })
      setRound(it => it + 1)
      if (!id) router.go(`/app/c/${conversation_id}`)
      conversations.changed()
    } catch (error) {
      setPending(undefined)
      throw error
    }
  }
  /** Adds runs that the service started in this conversation. */
  const add = useCallback(
    (runs: string[]) => setBegun(before => ({ of: id, runs: [...new Set([...(before.of === id ? before.runs : []), ...runs])] })),
    [id],
  )
  return { history, runs: runsOf(history, mine), say, add, pending: pending?.of === id ? pending : undefined, round }
}

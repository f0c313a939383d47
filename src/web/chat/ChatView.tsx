import { useCallback, useEffect, useRef, useState } from 'hono/jsx/dom'
import type { ButlerRecord as Butlers } from '../../records/butler.ts'
import type { MessageRecord as Message } from '../../records/conversation.ts'
import { type Loaded, useLoaded, usePath, useReach } from '../client/reach.ts'
import { Failed, Title, Waiting } from '../parts/basics.tsx'
import { DownIcon } from '../parts/icons.tsx'
import { Composer } from './Composer.tsx'
import { ConversationList } from './ConversationList.tsx'
import { Greeting } from './Greeting.tsx'
import { toOrder } from './order.ts'
import { useStick } from './stick.ts'
import { Bubble, RunTurns, type Say } from './Turns.tsx'

/** Number of runs shown at first in a long conversation. */
const shownRuns = 8

type History = Loaded<{ messages: Message[] }>

const runsOf = ({ value }: History, begun: string[]): string[] => [
  ...new Set([...(value?.messages ?? []).map(it => it.run_id), ...begun].filter(Boolean)),
]

type Pending = { text: string; runId?: string }

/**
 * Returns the runs of a conversation and functions to send messages. A conversation without an id is created by its first
 * message.
 */
const useConversation = (id: string | undefined) => {
  const { api, router } = useReach()
  const history: History = useLoaded(id && `/conversations/${encodeURIComponent(id)}/history`)
  const [begun, setBegun] = useState<{ of: string | undefined; runs: string[] }>({ of: id, runs: [] })
  const [pending, setPending] = useState<Pending | undefined>(undefined)
  const [round, setRound] = useState(0)
  const butler = useLoaded<Butlers>('/butler')
  const mine = begun.of === id ? begun.runs : []
  const say: Say = async (message, digest, key) => {
    const conversation_id = id ?? `web-${crypto.randomUUID()}`
    setPending({ text: message })
    try {
      const body = {
        ...(butler.value && { chain_id: butler.value.chain_id }),
        message,
        conversation_id,
        wait_ms: 0,
        ...(digest && { digest }),
      }
      const { run_id } = await api.post<{ run_id: string }>('/invoke', body, key)
      setPending({ text: message, runId: run_id })
      setBegun({ of: conversation_id, runs: [...mine, run_id] })
      setRound(it => it + 1)
      if (!id) router.go(`/app/c/${conversation_id}`)
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
  return { history, runs: runsOf(history, mine), say, add, pending, round }
}

/** Returns the initial message in the page's path, and whether it is complete, so that it is sent immediately. */
const orderOf = (path: string): { draft: string; isWhole: boolean } => {
  const asked = new URLSearchParams(path.split('?')[1] ?? '')
  const [hire, service, task] = [asked.get('hire'), asked.get('service'), asked.get('task')]
  if (!hire || !service) return { draft: asked.get('ask') ?? '', isWhole: asked.has('ask') }
  return { draft: toOrder(hire, service, task ?? ''), isWhole: task !== null }
}

export const ChatView = ({ id, isListOpen }: { id: string | undefined; isListOpen: boolean }) => {
  const path = usePath()
  const { router } = useReach()
  const { draft, isWhole } = orderOf(path)
  const { history, runs, say, add, pending, round } = useConversation(id)
  const [shown, setShown] = useState(shownRuns)
  const pane = useRef<HTMLElement>(null)
  const { isAway, glide, jump } = useStick(() => pane.current, id)
  const tell: Say = (message, digest, key) => {
    jump()
    return say(message, digest, key)
  }
  useEffect(() => setShown(shownRuns), [id])
  const sent = useRef('')
  useEffect(() => {
    if (!isWhole || sent.current === path) return
    sent.current = path
    router.go('/', { replace: true })
    void say(draft)
  }, [path])
  const isLoading = id !== undefined && !history.value && !history.error && runs.length === 0
  const isEmpty = runs.length === 0 && !isLoading && !pending
  return (
    <div class="talk">
      <ConversationList current={id} round={runs.length} isOpen={isListOpen} />
      <section class="pane" aria-label="Conversation">
        <section class="log" ref={pane} tabindex={0} aria-label="Messages">
          <div class="log-in">
            {!isEmpty && <Title isHidden>Conversation</Title>}
            {history.error && <Failed error={history.error} reload={history.reload} />}
            {isLoading && <Waiting words="Reading the conversation" />}
            {isEmpty && <Greeting say={tell} />}
            {runs.length > shown && (
              <button type="button" class="link" onClick={() => setShown(shown + shownRuns)}>
                Show earlier
              </button>
            )}
            {runs.slice(-shown).map(runId => (
              <RunTurns
                key={runId}
                runId={runId}
                say={tell}
                onNext={add}
                round={round}
                pending={pending?.runId === runId ? pending.text : undefined}
              />
            ))}
            {pending && pending.runId === undefined && <Bubble text={pending.text} />}
          </div>
        </section>
        {isAway && (
          <button type="button" class="jump" onClick={glide}>
            <DownIcon /> Newest
          </button>
        )}
        <Composer say={tell} draft={isWhole ? '' : draft} name={(!isWhole && draft) || (id ?? '')} />
      </section>
    </div>
  )
}

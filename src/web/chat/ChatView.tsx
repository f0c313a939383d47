import { useCallback, useEffect, useState } from 'hono/jsx/dom'
import { toQuotable } from '../../domain/quotableText.ts'
import { type Loaded, useLoaded, usePath, useReach } from '../client/reach.ts'
import type { Butler, Message } from '../client/wire.ts'
import { Failed, Title, Waiting } from '../parts/basics.tsx'
import { Activation } from './Activation.tsx'
import { Composer } from './Composer.tsx'
import { ConversationList } from './ConversationList.tsx'
import { RunTurns, type Say } from './Turns.tsx'

/** Runs of a long conversation that are shown at first. */
const shownRuns = 8

type History = Loaded<{ messages: Message[] }>

const runsOf = ({ value }: History, begun: string[]): string[] => [
  ...new Set([...(value?.messages ?? []).map(it => it.run_id), ...begun].filter(Boolean)),
]

/** The runs of a conversation, and how something is said in it. A conversation without an id begins with its first word. */
const useConversation = (id: string | undefined) => {
  const { api, router } = useReach()
  const history: History = useLoaded(id && `/conversations/${encodeURIComponent(id)}/history`)
  const [begun, setBegun] = useState<{ of: string | undefined; runs: string[] }>({ of: id, runs: [] })
  const butler = useLoaded<Butler>('/butler')
  const mine = begun.of === id ? begun.runs : []
  const say: Say = async (message, digest) => {
    const conversation_id = id ?? `web-${crypto.randomUUID()}`
    const { run_id } = await api.post<{ run_id: string }>('/invoke', {
      ...(butler.value && { chain_id: butler.value.chain_id }),
      message,
      conversation_id,
      wait_ms: 0,
      ...(digest && { digest }),
    })
    setBegun({ of: conversation_id, runs: [...mine, run_id] })
    if (!id) router.go(`/app/c/${conversation_id}`)
  }
  /** Runs that the service began in this conversation. */
  const add = useCallback(
    (runs: string[]) => setBegun(before => ({ of: id, runs: [...new Set([...(before.of === id ? before.runs : []), ...runs])] })),
    [id],
  )
  return { history, runs: runsOf(history, mine), say, add }
}

/** Words to begin with, for somebody who comes from an offering. */
const draftOf = (path: string): string => {
  const asked = new URLSearchParams(path.split('?')[1] ?? '')
  const [hire, service] = [asked.get('hire'), asked.get('service')]
  return hire && service ? `Hire ${hire} for the "${toQuotable(service, 200).replaceAll('"', '')}" service, task: ` : ''
}

export const ChatView = ({ id }: { id: string | undefined }) => {
  const draft = draftOf(usePath())
  const { history, runs, say, add } = useConversation(id)
  const [shown, setShown] = useState(shownRuns)
  useEffect(() => setShown(shownRuns), [id])
  const isLoading = id !== undefined && !history.value && !history.error && runs.length === 0
  return (
    <div class="chat">
      <ConversationList current={id} round={runs.length} />
      <section class="talk" aria-label="Conversation">
        <Title isHidden={runs.length > 0}>{runs.length > 0 ? 'Conversation' : 'What do you need done?'}</Title>
        {history.error && <Failed error={history.error} reload={history.reload} />}
        {isLoading && <Waiting words="Reading the conversation" />}
        {runs.length === 0 && !isLoading && <Hints say={say} />}
        {runs.length > shown && (
          <button type="button" class="link" onClick={() => setShown(shown + shownRuns)}>
            Show earlier
          </button>
        )}
        {runs.slice(-shown).map(runId => (
          <RunTurns key={runId} runId={runId} say={say} onNext={add} />
        ))}
        <Composer key={draft} say={say} draft={draft} name={draft || (id ?? '')} />
      </section>
    </div>
  )
}

const examples = ['What time is it in Tokyo?', 'Summarize this text: Agents are hired for small jobs and paid from escrow.']

const Hints = ({ say }: { say: Say }) => (
  <div class="hints">
    <p class="lead">
      Say it in plain words. Your butler finds an agent that does it, shows you the price and the terms, and hires it only after
      your yes.
    </p>
    <Activation />
    <ul class="plain">
      {examples.map(text => (
        <li key={text}>
          <button type="button" class="hint" onClick={() => say(text)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  </div>
)

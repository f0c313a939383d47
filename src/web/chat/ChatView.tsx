import { useRef, useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { usePath, useReach } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Failed, Title, Waiting } from '../parts/basics.tsx'
import { DownIcon } from '../parts/icons.tsx'
import { NotYours } from '../parts/NotYours.tsx'
import { Composer } from './Composer.tsx'
import { ConversationList } from './ConversationList.tsx'
import { useConversation } from './conversation.ts'
import { toOrder } from './order.ts'
import { type Ended, Ready } from './Ready.tsx'
import { Bubble } from './Said.tsx'
import { Suggestions } from './Suggestions.tsx'
import { useStick } from './stick.ts'
import { RunTurns, type Say } from './Turns.tsx'

/** Maximum number of ended jobs that are named at once. */
const maxPills = 2
/** Number of runs shown at first in a long conversation. */
const shownRuns = 8

/** Returns the initial message in the page's path, and whether it is complete, so that it is sent immediately. */
const orderOf = (path: string): { draft: string; isWhole: boolean } => {
  const asked = new URLSearchParams(path.split('?')[1] ?? '')
  const [hire, service, task] = [asked.get('hire'), asked.get('service'), asked.get('task')]
  if (!hire || !service) return { draft: asked.get('ask') ?? '', isWhole: asked.has('ask') }
  return { draft: toOrder(hire, service, task ?? ''), isWhole: task !== null }
}

/** Sends a complete order of the page's address at once, and once. */
const useWholeOrder = (say: Say): void => {
  const path = usePath()
  const { router } = useReach()
  const sent = useRef('')
  useEffect(() => {
    const { draft, isWhole } = orderOf(path)
    if (!isWhole || sent.current === path) return
    sent.current = path
    router.go('/', { replace: true })
    void say(draft)
  }, [path])
}

const ToNewest = ({ glide }: { glide(): void }) => <Button class="jump" onClick={glide} icon={<DownIcon />} words={t('Newest')} />

const ToEarlier = ({ show }: { show(): void }) => <Button class="link" onClick={show} words={t('Show earlier')} />

export const ChatView = ({ id, isListOpen }: { id: string | undefined; isListOpen: boolean }) => {
  const path = usePath()
  const { draft, isWhole } = orderOf(path)
  const { history, runs, say, add, pending, round } = useConversation(id)
  const [shown, setShown] = useState(shownRuns)
  const pane = useRef<HTMLElement>(null)
  const { isAway, glide, jump } = useStick(() => pane.current, id)
  const tell: Say = (message, digest, key) => {
    jump()
    return say(message, digest, key)
  }
  const [ended, setEnded] = useState<Ended[]>([])
  useEffect(() => {
    setShown(shownRuns)
    setEnded([])
  }, [id])
  useWholeOrder(say)
  const isLoading = id !== undefined && !history.value && !history.error && runs.length === 0
  const isEmpty = runs.length === 0 && !isLoading && !pending
  const isUnknown = id !== undefined && history.value !== undefined
  const isHome = isEmpty && id === undefined
  return (
    <div class="talk">
      <ConversationList current={id} isOpen={isListOpen} />
      <section class={`pane ${isHome ? 'home' : ''}`} aria-label={t('Conversation')}>
        <section class="log" ref={pane} tabindex={0} aria-label={t('Messages')}>
          <div class="log-in">
            {!isEmpty && <Title isHidden>{t('Conversation')}</Title>}
            {history.error && <Failed error={history.error} reload={history.reload} />}
            {isLoading && <Waiting />}
            {isEmpty && (isUnknown ? <NotYours what="conversation" /> : <Greeting />)}
            {runs.length > shown && <ToEarlier show={() => setShown(shown + shownRuns)} />}
            {runs.slice(-shown).map(runId => (
              <RunTurns
                key={runId}
                runId={runId}
                say={tell}
                isLast={runId === runs.at(-1) && (!pending || pending.runId === runId)}
                onNext={add}
                round={round}
                onEnded={it => setEnded(before => [...before, it])}
                pending={pending?.runId === runId ? pending.text : undefined}
              />
            ))}
            {pending && pending.runId === undefined && <Bubble text={pending.text} />}
          </div>
        </section>
        <div class="jumps" role="status">
          {ended.slice(-maxPills).map(it => {
            const seen = () => setEnded(before => before.filter(one => one !== it))
            return <Ready key={it.runId} log={() => pane.current} ended={it} seen={seen} />
          })}
          {isAway && <ToNewest glide={glide} />}
        </div>
        {!(isEmpty && isUnknown) && <Composer say={tell} draft={isWhole ? '' : draft} name={(!isWhole && draft) || (id ?? '')} />}
        {isHome && <Suggestions say={tell} />}
      </section>
    </div>
  )
}

const Greeting = () => (
  <div class="greeting">
    <Title>{t('What do you need done?')}</Title>
    <p class="q">{t('You see the price first. Nothing happens before your yes.')}</p>
  </div>
)

import { useState } from 'hono/jsx/dom'
import { limits } from '../../domain/limits.ts'
import type { Proposal } from '../../domain/proposal.ts'
import { toCountdown, toMinutes, toMoment } from '../client/format.ts'
import { useReach, useWork } from '../client/reach.ts'
import { ReputationLine } from '../market/Reputation.tsx'
import { Notice, textOf, Usdc, useNow } from '../parts/basics.tsx'
import { CheckIcon, ClockIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { type Agreed, minutesFromYes, ProposalTerms } from './ProposalTerms.tsx'
import type { Ending } from './turns.ts'

type CardProps = {
  proposal: Proposal
  runId: string
  isOpen: boolean
  /** Whether an answer is heard yet. */
  isReady: boolean
  answer: Ending | undefined
  agreed: Agreed
  /** Something is about to be answered here. */
  onAnswering(): void
  /** Something was answered here. */
  onAnswered(): void
  say(text: string, digest: string): Promise<void>
  /** The same task, from the beginning. */
  askAgain(): Promise<void>
}

const endings: Record<Ending, string> = {
  hired: 'You said yes',
  mandated: 'Hired under your mandate',
  declined: 'You said no',
  changed: 'Replaced by newer terms',
}

/** The terms that a yes is about, drawn from the typed proposal: no sentence of a model or a listing sets a figure here. */
export const ProposalCard = ({ proposal, isOpen, answer, agreed, ...acts }: CardProps) => {
  const now = useNow(isOpen)
  const isLapsed = isOpen && proposal.lapsesAt <= now
  return (
    <section class={`card proposal ${isOpen && !isLapsed ? 'open' : 'closed'}`} aria-label="Proposal">
      <header class="proposal-head">
        <div>
          <p class="eyebrow">Proposal</p>
          <h2>
            <Quoted text={proposal.offeringName} />
          </h2>
          <p class="quiet">
            by <Quoted text={proposal.agentName} /> <span class="handle">{proposal.agentHandle}</span>
          </p>
          {proposal.reputation && <ReputationLine of={proposal.reputation} />}
        </div>
        <p class="price">
          <Usdc amount={proposal.total} />
          <span class="quiet">within {toMinutes(minutesFromYes(proposal).delivered)}</span>
        </p>
      </header>
      {isOpen ? (
        <ProposalTerms proposal={proposal} agreed={agreed} />
      ) : (
        <details>
          <summary>All terms</summary>
          <ProposalTerms proposal={proposal} agreed={agreed} />
        </details>
      )}
      {isOpen && !isLapsed && <Answers proposal={proposal} leftMs={proposal.lapsesAt - now} {...acts} />}
      {isLapsed && <Lapsed {...acts} digest={proposal.digest} />}
      {!isOpen && (
        <p class="proposal-foot quiet">
          {(answer === 'hired' || answer === 'mandated') && <CheckIcon />} {answer ? endings[answer] : 'No longer open'} · terms{' '}
          <code>{proposal.digest}</code> · made {toMoment(proposal.lapsesAt - limits.proposalMs)}
        </p>
      )}
    </section>
  )
}

type Acts = Pick<CardProps, 'runId' | 'isReady' | 'onAnswering' | 'onAnswered' | 'say' | 'askAgain'>

const Answers = ({
  proposal,
  leftMs,
  runId,
  isReady,
  onAnswering,
  onAnswered,
  say,
}: Acts & { proposal: Proposal; leftMs: number }) => {
  const { api } = useReach()
  const work = useWork()
  const [isChanging, setChanging] = useState(false)
  const { digest } = proposal
  const isDisabled = work.busy || !isReady
  const decide = (decision: 'yes' | 'no') => {
    onAnswering()
    work.run(async () => {
      await api.post(`/v1/hires/${runId}/confirm`, { digest, decision, wait_ms: 0 })
      onAnswered()
    })
  }
  return (
    <div class="answers">
      {work.error && <Notice kind="error">{work.error}</Notice>}
      {isChanging ? (
        <Change busy={work.busy} say={text => work.run(() => say(text, digest))} leave={() => setChanging(false)} />
      ) : (
        <div class="row">
          <button type="button" class="primary" disabled={isDisabled} onClick={() => decide('yes')}>
            Approve <Usdc amount={proposal.total} />
          </button>
          <button type="button" disabled={isDisabled} onClick={() => setChanging(true)}>
            Change
          </button>
          <button type="button" disabled={isDisabled} onClick={() => decide('no')}>
            No
          </button>
        </div>
      )}
      <p class="proposal-foot quiet">
        <ClockIcon /> Open for <span class="figure">{toCountdown(leftMs)}</span> · your yes binds to terms <code>{digest}</code>
      </p>
    </div>
  )
}

const Change = ({ busy, say, leave }: { busy: boolean; say(text: string): void; leave(): void }) => {
  const [text, setText] = useState('')
  const send = (event: Event) => {
    event.preventDefault()
    if (text.trim()) say(text.trim())
  }
  return (
    <form class="change" onSubmit={send}>
      <label for="change">What should be different?</label>
      <input id="change" value={text} autofocus onInput={event => setText(textOf(event))} placeholder="city: London" />
      <div class="row">
        <button type="submit" class="primary" disabled={busy || !text.trim()}>
          Ask for new terms
        </button>
        <button type="button" onClick={leave}>
          Back
        </button>
      </div>
    </form>
  )
}

const Lapsed = ({ runId, digest, askAgain }: Acts & { digest: string }) => {
  const { api } = useReach()
  const work = useWork()
  // Left before it is asked again: were the clocks apart, a yes in other words could still hire.
  const again = () =>
    work.run(async () => {
      await api.post(`/v1/hires/${runId}/confirm`, { digest, decision: 'no', wait_ms: 0 })
      await askAgain()
    })
  return (
    <div class="answers">
      {work.error && <Notice kind="error">{work.error}</Notice>}
      <Notice title="This proposal has lapsed.">
        <p>Nothing was hired and nothing was paid.</p>
        <button type="button" class="primary" disabled={work.busy} onClick={again}>
          Ask again
        </button>
      </Notice>
    </div>
  )
}

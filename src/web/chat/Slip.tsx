import { useState } from 'hono/jsx/dom'
import type { Proposal } from '../../domain/proposal.ts'
import { toCountdown, toUsdc } from '../client/format.ts'
import { useLoaded, useMoved, useReach, useWork } from '../client/reach.ts'
import type { Wallet } from '../client/wire.ts'
import { Link, useNow } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { SpinIcon } from '../parts/icons.tsx'
import { Liveness, ReputationSummary } from '../parts/liveness.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { splitInput, useEdits } from './edits.ts'
import { Fields } from './Fields.tsx'
import { SlipChange } from './SlipChange.tsx'
import { SlipDetails } from './SlipDetails.tsx'
import { SlipLapsed } from './SlipLapsed.tsx'
import { missingOf, neverConnected, SlipNotes } from './SlipNotes.tsx'
import { SlipPromise } from './SlipPromise.tsx'
import type { SlipProps } from './slipProps.ts'

/**
 * The proposal with its terms and buttons. All amounts come from the proposal's data, never from text of a model or a listing.
 */
export const Slip = (props: SlipProps) => {
  const { proposal } = props
  const now = useNow()
  const isLapsed = proposal.lapsesAt <= now
  return (
    <section class={`slip ${isLapsed ? 'off' : 'new'}`} aria-label="Proposal">
      <SlipHead proposal={proposal} />
      {isLapsed ? <SlipLapsed {...props} /> : <Open {...props} leftMs={proposal.lapsesAt - now} />}
    </section>
  )
}

const SlipHead = ({ proposal: it }: { proposal: Proposal }) => (
  <div class="slip-head">
    <Face id={it.agentId} size={44} />
    <h2>
      <Quoted text={it.offeringName} chars={120} />
    </h2>
    <p class="meta">
      <Link to={`/app/agents/${it.agentId}`}>
        <Quoted text={it.agentName} chars={60} />
      </Link>
      {it.reputation ? <ReputationSummary of={it.reputation} /> : <Liveness of={{ last_seen: '' }} />}
    </p>
    <span class="price">
      {toUsdc(it.total)} <small>USDC</small>
    </span>
  </div>
)

const Open = (props: SlipProps & { leftMs: number }) => {
  const { proposal, runId, before, isReady, leftMs, onAnswering, onAnswered, say } = props
  const { api } = useReach()
  const work = useWork()
  const [doing, setDoing] = useState<'yes' | 'no' | 'change' | ''>('')
  const [isChanging, setChanging] = useState(false)
  const edits = useEdits(props)
  const balance = useLoaded<Wallet>('/v1/wallets/me', useMoved()).value?.balances.find(it => it.chain_id === proposal.chainId)
  const missing = missingOf(proposal.total, balance?.usdc)
  const isOff = work.busy || !isReady
  const act = (what: typeof doing, it: () => Promise<unknown>) => {
    setDoing(what)
    work.run(it)
  }
  const decide = (decision: 'yes' | 'no') => {
    // Edited values are not part of these terms until they are proposed again.
    if (edits.isChanged) return
    onAnswering()
    act(decision, async () => {
      await api.post(`/v1/hires/${runId}/confirm`, { digest: proposal.digest, decision, wait_ms: 0 })
      onAnswered()
    })
  }
  const update = () => edits.isChanged && !isOff && act('change', edits.tell)
  const [first, rest] = splitInput(edits.values, edits.schema)
  const fields = { id: `in-${proposal.digest}`, isOff, set: edits.set, done: update }
  return (
    <>
      <div class="slip-body">
        <Fields {...fields} schema={first.schema} values={first.values} />
        {Object.keys(rest.values).length > 0 && (
          <details class="rest">
            <summary class="link">{Object.keys(rest.values).length} more of what you give</summary>
            <Fields {...fields} schema={rest.schema} values={rest.values} />
          </details>
        )}
        <SlipPromise proposal={proposal} />
      </div>
      <SlipNotes proposal={proposal} before={before} missing={missing} error={work.error} />
      <div class="tear" />
      <div class="stub">
        {missing ? (
          <Link to="/app/me" class="btn main full">
            Add {missing} USDC
          </Link>
        ) : (
          <button
            type="button"
            class={`btn full ${proposal.seen === neverConnected ? '' : 'main'}`}
            disabled={isOff}
            aria-disabled={edits.isChanged ? 'true' : undefined}
            onClick={() => decide('yes')}
          >
            <YesWords proposal={proposal} doing={work.busy ? doing : ''} isChanged={edits.isChanged} />
          </button>
        )}
        {isChanging ? (
          <SlipChange
            busy={work.busy}
            say={text => act('change', () => say(text, proposal.digest))}
            leave={() => setChanging(false)}
          />
        ) : (
          <div class="row">
            <button type="button" class="link" disabled={isOff} onClick={() => setChanging(true)}>
              Change
            </button>
            <button type="button" class="link" disabled={isOff} onClick={() => decide('no')}>
              No, thanks
            </button>
            <span class="grow" />
            <span class="q xs num only-wide">Offer valid for {toCountdown(leftMs)}</span>
            <span class="only-wide room" />
          </div>
        )}
        {!isChanging && <SlipDetails proposal={proposal} />}
      </div>
    </>
  )
}

const YesWords = ({ proposal, doing, isChanged }: { proposal: Proposal; doing: string; isChanged: boolean }) => {
  const sum = <span class="sum">{toUsdc(proposal.total)} USDC</span>
  if (doing === 'yes')
    return (
      <>
        <SpinIcon /> Paying {sum} …
      </>
    )
  if (doing === 'change' || isChanged) return <>Updating the terms …</>
  return proposal.seen === neverConnected ? <>Approve {sum} all the same</> : <>Approve {sum}</>
}

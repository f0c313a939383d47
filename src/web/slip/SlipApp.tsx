import { useState } from 'hono/jsx/dom'
import { isObject } from '../../domain/objects.ts'
import type { PlanRecord } from '../../records/plan.ts'
import { useEffect } from '../client/effects.ts'
import { toFullTime, toUsdc } from '../client/format.ts'
import { tn } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { AgentName, quoted } from '../parts/strangers.tsx'
import { PlanBody } from '../plan/PlanBody.tsx'
import { toInputLines } from '../plan/planInput.ts'
import { createHost, type Host } from './host.ts'

const nonceKey = 'agent-market/nonce'
/** How often the app reads a run that is under way, in ms. */
const lookEveryMs = 2_000

type Shown = { run: Record<string, unknown>; nonce: string | undefined; words: string }

const toShown = (result: Record<string, unknown>): Shown => {
  const meta = isObject(result._meta) ? result._meta : {}
  const run = isObject(result.structuredContent) ? result.structuredContent : {}
  const [first] = Array.isArray(result.content) ? result.content : []
  const words = result.isError && isObject(first) ? String(first.text) : ''
  return { run, words, nonce: typeof meta[nonceKey] === 'string' ? meta[nonceKey] : undefined }
}

/** The proposal of a run inside an MCP client, with the button that only a person can press; then what came of it. */
export const SlipApp = () => {
  const [shown, setShown] = useState<Shown>()
  const [host] = useState(() => createHost(result => setShown(toShown(result))))
  useEffect(() => void host.begin(), [])
  const state = shown?.run.state
  const runId = String(shown?.run.run_id ?? '')
  useEffect(() => {
    if (state !== 'working' && state !== 'awaiting-job') return
    const timer = setInterval(async () => setShown(toShown(await host.call('get_run', { run_id: runId }))), lookEveryMs)
    return () => clearInterval(timer)
  }, [state, runId])
  if (!shown) return <p class="q">Waiting for the proposal</p>
  const terms = shown.run.proposal ?? shown.run.purchase ?? shown.run.plan
  if (state === 'awaiting-confirmation' && isObject(terms))
    return <Open host={host} shown={shown} terms={terms} onAnswered={setShown} />
  return (
    <section class="slip" aria-label="Hire">
      <div class="slip-body">
        <p role="status">{shown.words || String(shown.run.content ?? '') || 'Under way.'}</p>
      </div>
    </section>
  )
}

const isPlan = (terms: Record<string, unknown>): terms is PlanRecord => Array.isArray(terms.steps)

type OpenProps = { host: Host; shown: Shown; terms: Record<string, unknown>; onAnswered(shown: Shown): void }

const Open = ({ host, shown: { run, nonce }, terms, onAnswered }: OpenProps) => {
  const [isBusy, setBusy] = useState(false)
  const decide = async (decision: 'yes' | 'no') => {
    setBusy(true)
    onAnswered(toShown(await host.call('confirm_slip', { nonce, decision })))
  }
  const link = typeof run.approve_url === 'string' ? run.approve_url : undefined
  const plan = isPlan(terms) ? terms : undefined
  return (
    <section class="slip new" aria-label="Proposal">
      {plan ? (
        <PlanBody plan={plan} />
      ) : (
        <>
          <Head terms={terms} />
          <Lines terms={terms} />
        </>
      )}
      <div class="tear" />
      <div class="stub">
        {nonce ? (
          <>
            <button type="button" class="btn main full" disabled={isBusy} onClick={() => decide('yes')}>
              {plan ? `${tn(plan.steps.length, 'Approve {n} step|Approve {n} steps')} · ` : 'Approve '}
              {typeof terms.charged === 'string' && 'at most '}
              {toUsdc(String(terms.total))} USDC
            </button>
            <div class="row plan-row">
              <Button class="link" disabled={isBusy} onClick={() => decide('no')} words="No, thanks" />
            </div>
          </>
        ) : (
          link && <Button class="btn main full" onClick={() => host.open(link)} words="Open the market to approve" />
        )}
      </div>
    </section>
  )
}

const Head = ({ terms: it }: { terms: Record<string, unknown> }) => (
  <div class="slip-head">
    <Face id={String(it.agentId ?? it.url)} size={44} />
    <h2>{quoted(String(it.offeringName ?? it.url), 120)}</h2>
    {it.agentName !== undefined && (
      <p class="meta">
        <AgentName name={String(it.agentName)} handle={String(it.agentHandle)} />
      </p>
    )}
    <span class="price">
      {typeof it.charged === 'string' && <small>at most </small>}
      {toUsdc(String(it.total))} <small>USDC</small>
    </span>
  </div>
)

const Lines = ({ terms: it }: { terms: Record<string, unknown> }) => {
  const timeline = isObject(it.timeline) ? it.timeline : {}
  return (
    <div class="slip-body">
      {typeof it.input === 'string' && <p class="s">The agent gets: {quoted(toInputLines(it.input).join('; '), 600)}</p>}
      {typeof it.charged === 'string' && (
        <p class="q s">Charged by use: {quoted(it.charged, 200)}. What is not used comes back with the payment.</p>
      )}
      {typeof timeline.deliveredBy === 'string' && (
        <p class="q s">Delivered by {toFullTime(timeline.deliveredBy)}, or your money comes back.</p>
      )}
    </div>
  )
}

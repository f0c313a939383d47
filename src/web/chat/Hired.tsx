import type { Proposal } from '../../domain/runs/proposal.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { toUsdc } from '../client/format.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t, type Words } from '../client/words.ts'
import { Cancel } from '../hire/Cancel.tsx'
import { jobStateIn } from '../hire/jobState.ts'
import { promiseOf } from '../hire/promises.ts'
import { tookMs, toSteps } from '../hire/steps.ts'
import { TellMe } from '../hire/TellMe.tsx'
import { Label } from '../parts/basics.tsx'
import { CheckIcon, ReturnIcon, SpinIcon } from '../parts/icons.tsx'
import { quoted } from '../parts/strangers.tsx'
import { Accepted } from './Accepted.tsx'
import { type Ending, isOver } from './turns.ts'

type HiredProps = { terms: Proposal; run: Run | undefined; events: RunEvent[]; answer: Ending | undefined; look(): void }

const returning = ['rejected', 'expired', 'refunded', 'cancelled']

/** An accepted hire as one line, which expands to its progress. */
export const Hired = ({ terms, run, events, answer, look }: HiredProps) => {
  const mandated = answer === 'mandated' ? `${t('Hired under your spending limit.')} ` : ''
  const state = jobStateIn(events, run)
  const promise = isOver(run) ? '' : `${promiseOf(terms, run?.job?.deadlines)}.`
  return (
    <Accepted
      terms={terms}
      run={run}
      steps={toSteps(events)}
      took={tookMs(events)}
      state={<HiredState state={state} isOver={isOver(run)} terms={terms} paid={paidIn(events) ?? terms.total} />}
      report={<Progress events={events} />}
      note={mandated + promise}
    >
      {!isOver(run) && <TellMe since={events[0]?.timestamp} />}
      {!isOver(run) && run && <Cancel runId={run.run_id} state={state} look={look} />}
    </Accepted>
  )
}

/** What the agent said last about its progress. */
const Progress = ({ events }: { events: RunEvent[] }) => {
  const said = events.findLast(it => it.type === 'progress')
  return said ? (
    <p class="q s" aria-live="polite">
      {t('The agent says:')} {quoted(said.summary_text, 300)}
    </p>
  ) : null
}

/** What was used of a usage price. */
const paidIn = (events: RunEvent[]): string | undefined => events.findLast(it => it.type === 'payment.settled')?.data.used

type StateProps = { state: string; isOver: boolean; terms: Proposal; paid: string }

const HiredState = ({ state, isOver, terms, paid }: StateProps) => {
  if (state === 'settled')
    return (
      <span class="ok s num">
        <CheckIcon /> {t('Paid')} {toUsdc(paid)}
      </span>
    )
  if (returning.includes(state))
    return <Label class="tag warn" icon={<ReturnIcon />} words={isOver ? t('Money back') : t('Money on its way back')} />
  return (
    <span class="ok s">
      <SpinIcon /> <span>{doingIn(state, terms.agentName)}</span>
    </span>
  )
}

/** What happens to a job in a state. In any other state it waits for its agent. */
const doing: Record<string, Words> = {
  open: 'Paying',
  leased: 'Working',
  submitted: 'Checking',
  settling: 'Paying the agent',
}

const doingIn = (state: string, agent: string): string => {
  const words = doing[state]
  return words ? t(words) : t('Waiting for {name}', { name: toQuotable(agent, 30) })
}

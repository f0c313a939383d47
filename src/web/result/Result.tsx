import type { PropsWithChildren } from 'hono/jsx'
import { useState } from 'hono/jsx/dom'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { toUsdc } from '../client/format.ts'
import { useReach, useService } from '../client/reach.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { tookMs } from '../hire/steps.ts'
import { Label } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { CheckIcon } from '../parts/icons.tsx'
import { toAgentName } from '../parts/strangers.tsx'
import { ResultCard } from './ResultCard.tsx'
import { Share } from './Share.tsx'
import { Unfetched } from './Unfetched.tsx'

type ResultProps = PropsWithChildren<{ run: Run; agreed: Proposal | undefined; events: RunEvent[]; from?: string }>

/** The deliverable of a hire. @param from who delivered, if the terms do not say it @param children actions shown below it */
export const Result = ({ run, agreed, events, from = agreed ? toAgentName(agreed) : t('The agent'), children }: ResultProps) => {
  const { api } = useReach()
  const job = run.job
  const [whole, setWhole] = useState<string | undefined>(undefined)
  const service = useService(agreed?.agentId ?? job?.agent_id ?? '', agreed?.offeringId ?? job?.offering_id ?? '')
  if (!job) return null
  return (
    <ResultCard
      from={from}
      picture={<Face id={job.agent_id} size={28} />}
      text={whole ?? job.deliverable}
      main={service?.main ?? ''}
      name={nameOf(agreed)}
      runId={run.run_id}
      paid={
        <>
          {run.verdict?.pass !== false && <Label class="ok" icon={<CheckIcon />} words={t('Checked')} />}
          <span class="num">
            {Number(job.amount) > 0 ? t('{sum} USDC paid', { sum: toUsdc(job.amount) }) : t('It cost nothing')}
          </span>
        </>
      }
      tookMs={tookMs(events)}
      checked={t('We checked its form, not its truth.')}
      empty={
        job.deliverable_chars > 0 && (
          <Unfetched
            chars={job.deliverable_chars}
            load={async () => setWhole((await api.get<Run>(`/runs/${run.run_id}`)).job?.deliverable ?? '')}
          />
        )
      }
    >
      {job.state === 'settled' && <Share runId={run.run_id} agreed={agreed} />}
      {children}
    </ResultCard>
  )
}

const nameOf = (agreed: Proposal | undefined) => agreed?.offeringName.replace(/[^\p{L}\p{N} -]/gu, '').slice(0, 60) || 'result'

import type { PropsWithChildren } from 'hono/jsx'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { firstSentence, toReadable, toUsdc } from '../client/format.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { tookMs } from '../hire/steps.ts'
import { Face } from '../parts/Face.tsx'
import { Filled } from '../parts/Filled.tsx'
import { ReturnIcon } from '../parts/icons.tsx'
import { toAgentName } from '../parts/strangers.tsx'
import { FailureCard } from './FailureCard.tsx'
import { errorOf } from './kinds.ts'

type NotDoneProps = PropsWithChildren<{ run: Run; agreed: Proposal | undefined; events: RunEvent[]; from?: string }>

/** A hire without a result: the agent's reason if it gave one, where the money is, and what to do next. */
export const NotDone = ({
  run,
  agreed,
  events,
  from = agreed ? toAgentName(agreed) : t('The agent'),
  children,
}: NotDoneProps) => {
  const { job } = run
  if (!job) return null
  const isBack = job.state === 'refunded' || job.state === 'cancelled'
  return (
    <FailureCard
      picture={<Face id={job.agent_id} size={28} />}
      title={job.state === 'cancelled' ? t('Cancelled') : t('{name} could not do it', { name: from })}
      tag={
        <>
          <ReturnIcon /> {isBack ? t('Money back') : t('Money on its way back')}
        </>
      }
      said={errorOf(job.deliverable)}
      reason={toReadable(firstSentence(job.reason || run.content))}
      runId={run.run_id}
      tookMs={tookMs(events)}
      money={
        Number(job.amount) > 0 ? (
          <Filled
            words={isBack ? t('Your {sum} are back in your account.') : t('Your {sum} are on their way back to you.')}
            of={{ sum: <b class="num">{toUsdc(job.amount)} USDC</b> }}
          />
        ) : (
          `${t('It cost nothing')}.`
        )
      }
    >
      {children}
    </FailureCard>
  )
}

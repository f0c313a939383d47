import { useState } from 'hono/jsx/dom'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { SharedRecord } from '../../records/share.ts'
import { toFullTime, toUsdc } from '../client/format.ts'
import { useLoaded, useReach } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Failed, Label, Link, Title, Waiting } from '../parts/basics.tsx'
import { Empty } from '../parts/Empty.tsx'
import { Face } from '../parts/Face.tsx'
import { CheckIcon } from '../parts/icons.tsx'
import { toAgentName } from '../parts/strangers.tsx'
import { ResultCard } from '../result/ResultCard.tsx'
import { Unfetched } from '../result/Unfetched.tsx'

/** A result that its owner shows to everybody with this link. It can be read without a sign-in, and nothing else can. */
export const SharedView = ({ id }: { id: string }) => {
  const path = `/v1/shared/${encodeURIComponent(id)}`
  const { value, error, status, reload } = useLoaded<SharedRecord>(`${path}?deliverable=reference`)
  if (status === 404) return <Ended />
  if (!value)
    return (
      <>
        <Title>{t('A shared result')}</Title>
        {error ? <Failed error={error} reload={reload} /> : <Waiting />}
      </>
    )
  return <Shown shared={value} path={path} id={id} />
}

const Ended = () => (
  <Empty title={t('This link shows nothing')} words={t('Its owner may have ended it.')}>
    <Link to="/" class="btn" words={t('Go to the market')} />
  </Empty>
)

const Shown = ({ shared, path, id }: { shared: SharedRecord; path: string; id: string }) => {
  const { api } = useReach()
  const [whole, setWhole] = useState<string | undefined>(undefined)
  const from = toAgentName({ agentName: shared.agent_name, agentHandle: shared.agent_handle })
  return (
    <article class="shared">
      <Title>{toQuotable(shared.offering_name, 90)}</Title>
      <p class="q s">
        {t('Somebody shares this result with you. It was delivered on {day}.', { day: toFullTime(shared.delivered_at) })}
      </p>
      <ResultCard
        from={from}
        picture={<Face id={shared.agent_id} size={28} />}
        text={whole ?? shared.deliverable}
        main={shared.main}
        name="result"
        runId={id}
        isOwn={false}
        paid={
          <>
            {shared.checked && <Label class="ok" icon={<CheckIcon />} words={t('Checked')} />}
            <span class="num">{Number(shared.price) > 0 ? `${toUsdc(shared.price)} USDC` : t('Free')}</span>
          </>
        }
        tookMs={undefined}
        checked={t('We checked its form, not its truth.')}
        empty={
          shared.deliverable_chars > 0 && (
            <Unfetched
              chars={shared.deliverable_chars}
              load={async () => setWhole((await api.get<SharedRecord>(path)).deliverable)}
            />
          )
        }
      />
      <p>
        <Link to={`/app/agents/${encodeURIComponent(shared.agent_id)}`} class="btn main" words={t('Ask this agent yourself')} />
      </p>
    </article>
  )
}

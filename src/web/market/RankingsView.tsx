import { useState } from 'hono/jsx/dom'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { RankedRecord as Ranked } from '../../records/market/ranking.ts'
import { toUsdc } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'
import { ownLocale, t } from '../client/words.ts'
import { Failed, Link, Notice, Title, Waiting } from '../parts/basics.tsx'
import { Drawing } from '../parts/Drawing.tsx'
import { Face } from '../parts/Face.tsx'
import { ChevronIcon } from '../parts/icons.tsx'
import { acceptedWords } from '../parts/liveness.tsx'
import { AgentName } from '../parts/strangers.tsx'
import { Meter } from './Meter.tsx'
import { outOf, storyOf } from './reputation.ts'
import { Segments } from './Segments.tsx'

const metrics = { score: 'Score', tasks: 'Jobs', revenue: 'Earned' } as const
type Metric = keyof typeof metrics

const toFigure = (metric: Metric, score: number): string => {
  if (metric === 'revenue') return toUsdc(String(score))
  return metric === 'score' ? String(Math.round(score * 100)) : score.toLocaleString(ownLocale())
}

export const RankingsView = () => {
  const [metric, setMetric] = useState<Metric>('score')
  const { value, error, reload } = useLoaded<Ranked[]>(`/rankings?metric=${metric}&explain=${metric === 'score'}&limit=25`)
  const most = Math.max(...(value ?? []).map(it => it.score), metric === 'score' ? 1 : 0)
  return (
    <section class="rk">
      <div class="mh">
        <div class="grow">
          <Title>{t('Rankings')}</Title>
          <p class="q">
            {t('Many good jobs count more than a few. Older ones count less. Hires by an agent’s own owner do not count.')}
            {metric === 'score' && ` ${t('One place in five is for a new agent.')}`}
          </p>
        </div>
        <Segments
          name={t('Rank by')}
          all={['score', 'tasks', 'revenue']}
          chosen={metric}
          choose={setMetric}
          wordsOf={it => t(metrics[it])}
        />
      </div>
      {error && <Failed error={error} reload={reload} />}
      {!value && !error && <Waiting />}
      {value?.length === 0 && (
        <Notice kind="empty" title={t('Nobody has been paid yet.')}>
          <Drawing />
          <p>{t('The first settled job puts its agent here.')}</p>
          <Link to="/" class="btn" words={t('Hire an agent')} />
        </Notice>
      )}
      {value && value.length > 0 && (
        <ol class="ranks">
          {value.map(it => (
            <Rank key={it.agent_id} ranked={it} metric={metric} share={most > 0 ? it.score / most : 0} />
          ))}
        </ol>
      )}
    </section>
  )
}

const Rank = ({ ranked, metric, share }: { ranked: Ranked; metric: Metric; share: number }) => {
  const { explain } = ranked
  return (
    <li>
      <details>
        <summary style={{ '--w': `${Math.round(share * 100)}%` }}>
          <span class="pos num">{ranked.rank}</span>
          <Face id={ranked.agent_id} />
          <span class="grow">
            <b>
              <AgentName name={ranked.name} handle={ranked.handle} />
            </b>
            <br />
            <span class="q s">{explain ? acceptedWords(explain.reputation) : metric !== 'score' && t(unitOf[metric])}</span>
          </span>
          <b class="score num">{explain?.reputation.judged === 0 ? t('new') : toFigure(metric, ranked.score)}</b>
          <ChevronIcon />
        </summary>
        <div class="why">
          {explain && <Explained explain={explain} />}
          <Link to={`/app/agents/${ranked.agent_id}`}>
            {t('See {name}', { name: toQuotable(ranked.name || ranked.handle, 80) })}
          </Link>
        </div>
      </details>
    </li>
  )
}

const unitOf = { tasks: 'jobs that it was paid for', revenue: 'USDC earned from others' } as const

const percent = (share: unknown): string => (typeof share === 'number' ? `${Math.round(share * 100)} %` : '–')
const toShare = (it: unknown): number => (typeof it === 'number' ? it : 0)

const Explained = ({ explain: { reputation: of, explanation: by } }: { explain: NonNullable<Ranked['explain']> }) => (
  <>
    <p class="q">{storyOf(of)}</p>
    <Meter name={t('Accepted')} share={of.judged > 0 ? of.accepted / of.judged : 0} words={outOf(of.accepted, of.judged)} />
    <Meter name={t('Likely at least')} share={of.success_bound} words={percent(of.success_bound)} />
    <Meter name={t('On time')} share={toShare(by.punctuality)} words={percent(by.punctuality)} />
    <Meter name={t('Reachable')} share={toShare(by.availability)} words={percent(by.availability)} />
    <p class="q s">
      {t(
        'The score is the likely share, times how much of it was on time and how reachable the agent is, by the formula {version}.',
        {
          version: of.version,
        },
      )}
    </p>
  </>
)

import { useState } from 'hono/jsx/dom'
import { toUsdc } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'
import type { Ranked } from '../client/wire.ts'
import { Failed, Link, Notice, Title, Waiting } from '../parts/basics.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { ReputationLine } from './Reputation.tsx'

const metrics = { revenue: 'Earned', tasks: 'Jobs paid', score: 'Score' } as const
type Metric = keyof typeof metrics

const toFigure = (metric: Metric, score: number): string =>
  metric === 'revenue' ? `${toUsdc(String(score))} USDC` : score.toLocaleString('en-US', { maximumFractionDigits: 3 })

/** Agents by what they earned and did; the score only where the service has one. */
export const RankingsView = () => {
  const [metric, setMetric] = useState<Metric>('revenue')
  const scored = useLoaded<Ranked[]>('/rankings?metric=score&explain=true&limit=25')
  const plain = useLoaded<Ranked[]>(metric === 'score' ? undefined : `/rankings?metric=${metric}&limit=25`)
  const { value, error, reload } = metric === 'score' ? scored : plain
  const offered = (['revenue', 'tasks', 'score'] as const).filter(it => it !== 'score' || scored.value)
  return (
    <section class="stack-wide">
      <Title>Rankings</Title>
      <fieldset class="tabs">
        <legend class="unseen">Rank by</legend>
        {offered.map(it => (
          <button type="button" key={it} aria-pressed={it === metric ? 'true' : 'false'} onClick={() => setMetric(it)}>
            {metrics[it]}
          </button>
        ))}
      </fieldset>
      {error && <Failed error={error} reload={reload} />}
      {!value && !error && <Waiting words="Reading the rankings" />}
      {value?.length === 0 && (
        <Notice kind="empty" title="Nobody has been paid yet.">
          <p>The first settled job puts its agent here.</p>
          <Link to="/">Hire an agent</Link>
        </Notice>
      )}
      {value && value.length > 0 && (
        <ol class="plain ranks">
          {value.map(it => (
            <Rank key={it.agent_id} ranked={it} metric={metric} />
          ))}
        </ol>
      )}
      <p class="quiet small">Hires by an agent's own owner do not count.</p>
    </section>
  )
}

/** An input of a score: as it is, or member by member, a line for each of several. */
const linesOf = (it: unknown): string[] => {
  if (Array.isArray(it)) return it.flatMap(linesOf)
  if (typeof it !== 'object' || it === null) return [String(it)]
  return [
    Object.entries(it)
      .map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`)
      .join(', '),
  ]
}

const Rank = ({ ranked, metric }: { ranked: Ranked; metric: Metric }) => (
  <li>
    <span class="rank figure">{ranked.rank}</span>
    <span class="rank-who">
      <Link to={`/app/agents/${ranked.agent_id}`}>
        <Quoted text={ranked.name || ranked.handle} chars={80} />
      </Link>{' '}
      <span class="handle">{ranked.handle}</span>
    </span>
    <b class="figure">{toFigure(metric, ranked.score)}</b>
    {ranked.explain && (
      <details>
        <summary>How it comes about</summary>
        <ReputationLine of={ranked.explain.reputation} />
        <dl class="pairs">
          {Object.entries(ranked.explain.explanation).map(([name, it]) => (
            <div key={name}>
              <dt>{name.replaceAll('_', ' ')}</dt>
              <dd>
                {linesOf(it).map(line => (
                  <div key={line}>{line}</div>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    )}
  </li>
)

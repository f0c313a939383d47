import { toUsdc } from '../client/format.ts'
import { t, tn } from '../client/words.ts'
import { quoted } from '../parts/strangers.tsx'
import type { Week } from './movements.ts'

/** The colours of the largest parts; that of the others is grey. */
const hues = ['h5', 'h2', 'h0']

const toSum = (amount: number) => toUsdc(amount.toFixed(2))

/** What the user's jobs of the last seven days cost, as a bar with a part for each offering. */
export const ThisWeek = ({ week: { spent, jobs, back, parts } }: { week: Week }) => (
  <section class="card week" aria-labelledby="week">
    <h3 id="week">{t('This week')}</h3>
    {jobs === 0 ? (
      <p class="q s">{t('No job in the last seven days.')}</p>
    ) : (
      <>
        <p class="s">
          <b class="num">{toSum(spent)} USDC</b>{' '}
          <span class="q">
            {tn(jobs, 'for {n} job|for {n} jobs')}
            {back > 0 && `, ${t('{sum} came back', { sum: toSum(back) })}`}
          </span>
        </p>
        <div class="parts" aria-hidden="true">
          {parts.map((it, at) => (
            <i key={it.name} class={hues[at]} style={{ width: `${(it.amount / spent) * 100}%` }} />
          ))}
        </div>
        <p class="q xs">
          {parts.map((it, at) => (
            <span key={it.name}>
              {at > 0 && ' · '}
              {quoted(it.name, 40)} {toSum(it.amount)}
            </span>
          ))}
        </p>
      </>
    )}
  </section>
)

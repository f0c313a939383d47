import { useRef } from 'hono/jsx/dom'
import type { AccountEventRecord } from '../../records/ownRecords.ts'
import { useEffect } from '../client/effects.ts'
import { useLoaded, useMoved, useReach } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Time } from '../parts/basics.tsx'

const shown = 8
const lookMs = 5_000

/** What changed in who may use the account, what was withdrawn, and what came in. */
export const AccountEvents = () => {
  const { balanceChanges } = useReach()
  const { value, reload } = useLoaded<{ events: AccountEventRecord[] }>(`/v1/account-events?limit=${shown}`, useMoved())
  const newest = value && (value.events[0]?.event_id ?? 'none')
  const known = useRef(newest)
  // What happens elsewhere, such as a deposit, changes the balance that is shown beside.
  useEffect(() => {
    if (known.current !== undefined && known.current !== newest) balanceChanges.notify()
    known.current = newest
  }, [newest])
  useEffect(() => {
    const look = setInterval(() => document.visibilityState === 'visible' && reload(), lookMs)
    return () => clearInterval(look)
  }, [])
  if (!value?.events.length) return null
  return (
    <section class="card" aria-labelledby="account-events">
      <h3 id="account-events">{t('What happened')}</h3>
      <ul>
        {value.events.map(it => (
          <li key={it.event_id} class="after s">
            <span class="whole">{it.text}</span>{' '}
            <span class="q xs">
              <Time at={it.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

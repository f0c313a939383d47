import type { AccountEventRecord } from '../../records/accountEvent.ts'
import { useLoaded, useMoved } from '../client/reach.ts'
import { Time } from '../parts/basics.tsx'

const shown = 5

/** What changed in who may use the account, what was withdrawn, and what came in. */
export const AccountEvents = () => {
  const { value } = useLoaded<{ events: AccountEventRecord[] }>(`/v1/account-events?limit=${shown}`, useMoved())
  if (!value?.events.length) return null
  return (
    <section class="card" aria-labelledby="account-events">
      <h3 id="account-events">What happened</h3>
      <ul>
        {value.events.map(it => (
          <li key={it.event_id} class="after s">
            <span class="break">{it.text}</span>{' '}
            <span class="q xs">
              <Time at={it.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

import type { NoticeRecord } from '../../records/notice.ts'
import { useLoaded, useMoved } from '../client/reach.ts'
import { Time } from '../parts/basics.tsx'

const shown = 5

/** What changed in who may use the account, what was withdrawn, and what came in. */
export const Notices = () => {
  const { value } = useLoaded<{ notices: NoticeRecord[] }>(`/v1/notices?limit=${shown}`, useMoved())
  if (!value?.notices.length) return null
  return (
    <section class="card" aria-labelledby="notices">
      <h3 id="notices">What happened</h3>
      <ul>
        {value.notices.map(it => (
          <li key={it.notice_id} class="after s">
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

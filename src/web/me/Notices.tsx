import type { NoticesRecord, SavedSearchRecord } from '../../records/notice.ts'
import { startTelling, stopTelling, type Telling, useTelling } from '../client/notices.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import { t, type Words } from '../client/words.ts'
import { Button, Link, Time } from '../parts/basics.tsx'
import { quoted } from '../parts/strangers.tsx'

const words: Record<Telling, Words> = {
  on: 'This browser tells you when a job is done.',
  off: 'This browser does not tell you when a job is done.',
  refused: 'You told this browser that the page may not show notices. Its settings can change that.',
  unable: 'This browser cannot show notices of this page.',
}

/** What the user is told while the page is closed: the browsers, and the searches that wait for an offering. */
export const Notices = () => {
  const { api } = useReach()
  const [telling, setTelling] = useTelling()
  const devices = useLoaded<NoticesRecord>('/v1/notices')
  const searches = useLoaded<{ searches: SavedSearchRecord[] }>('/v1/searches')
  const work = useWork()
  const act = (change: () => Promise<unknown>) =>
    work.run(async () => {
      await change()
      devices.reload()
      searches.reload()
    })
  const flip = async () => setTelling(telling === 'on' ? await stopTelling() : await startTelling(api))
  const others = (devices.value?.devices ?? []).length - (telling === 'on' ? 1 : 0)
  return (
    <section class="card" aria-labelledby="notices">
      <h3 id="notices">{t('Notices')}</h3>
      {telling && <p class="q s">{t(words[telling])}</p>}
      {(telling === 'on' || telling === 'off') && (
        <Button
          class="btn small"
          disabled={work.busy}
          onClick={() => act(flip)}
          words={t(telling === 'on' ? 'Tell me no more' : 'Tell me when a job is done')}
        />
      )}
      {others > 0 && (
        <ul>
          {devices.value?.devices.map(it => (
            <li key={it.device_id} class="after q xs">
              {it.push_service} · <Time at={it.since} />{' '}
              <Button
                class="link"
                disabled={work.busy}
                onClick={() => act(() => api.remove(`/v1/notices/devices/${it.device_id}`))}
                words={t('End it')}
              />
            </li>
          ))}
        </ul>
      )}
      <Searches searches={searches.value?.searches ?? []} end={id => act(() => api.remove(`/v1/searches/${id}`))} />
      {work.error && <p role="alert">{work.error}</p>}
    </section>
  )
}

const Searches = ({ searches, end }: { searches: SavedSearchRecord[]; end(id: string): void }) => (
  <ul>
    {searches.map(it => (
      <li key={it.search_id} class="after s">
        {it.found_at ? <Link to={`/?${new URLSearchParams({ ask: it.text })}`}>{quoted(it.text, 90)}</Link> : quoted(it.text, 90)}{' '}
        <span class="q xs">{t(it.found_at ? 'Somebody does it now.' : 'Waits for an agent.')}</span>{' '}
        <Button class="link" onClick={() => end(it.search_id)} words={t('Remove')} />
      </li>
    ))}
  </ul>
)

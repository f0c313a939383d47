import { useState } from 'hono/jsx/dom'
import type { DeletedRecords, OwnRecords as Page } from '../../records/ownRecords.ts'
import type { ShareRecord } from '../../records/share.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import { t, tn, toOwn } from '../client/words.ts'
import { Button, Link } from '../parts/basics.tsx'
import { download, quoted } from '../parts/strangers.tsx'

/** What the service keeps about the user: links that others can open, a copy of everything, and its deletion. */
export const OwnRecords = () => {
  const { api } = useReach()
  const work = useWork()
  const [isAsking, setAsking] = useState(false)
  const [gone, setGone] = useState<DeletedRecords | undefined>(undefined)
  const copy = () =>
    work.run(async () => {
      const runs: Page['runs'] = []
      let kept: Page['kept'] = {}
      for (let offset: number | null = 0; offset !== null; ) {
        const page: Page = await api.get<Page>(`/v1/own-records?offset=${offset}`)
        runs.push(...page.runs)
        kept = { ...page.kept, ...kept }
        offset = page.next
      }
      download({ text: JSON.stringify({ runs, ...kept }, undefined, 2), name: 'my-data.json', type: 'application/json' })
    })
  const remove = () =>
    work.run(async () => {
      setGone(await api.post<DeletedRecords>('/v1/own-records/delete', { confirm: 'delete my data' }))
      setAsking(false)
    })
  return (
    <section class="card" aria-labelledby="own-records">
      <h3 id="own-records">{t('Your data')}</h3>
      <Links />
      <div class="row wrap after">
        <Button class="btn small" disabled={work.busy} onClick={copy} words={t('Download a copy')} />
        <Button
          class="btn small"
          aria-expanded={`${isAsking}`}
          onClick={() => setAsking(!isAsking)}
          words={t('Delete my data')}
        />
      </div>
      {isAsking && (
        <div class="after">
          <p class="s">
            {t(
              'Your conversations, results, links, marks and searches are deleted. There is no way back. Your money, what the chain shows, and jobs that are not over stay.',
            )}
          </p>
          <Button class="btn small danger after" disabled={work.busy} onClick={remove} words={t('Delete it for good')} />
        </div>
      )}
      {gone && <Gone gone={gone} />}
      {work.error && <p role="alert">{work.error}</p>}
    </section>
  )
}

const notOver = '{n} task is not over yet; delete again later.|{n} tasks are not over yet; delete again later.'

const Gone = ({ gone }: { gone: DeletedRecords }) => (
  <div role="status" class="after s">
    <p>
      {tn(gone.deleted_runs + gone.emptied_runs, 'Deleted: {n} task.|Deleted: {n} tasks.')}
      {gone.open_runs > 0 && ` ${tn(gone.open_runs, notOver)}`}
    </p>
    <ul>
      {gone.stays.map(it => (
        <li key={it} class="q xs">
          {toOwn(it)}
        </li>
      ))}
    </ul>
  </div>
)

const Links = () => {
  const { api } = useReach()
  const { value, reload } = useLoaded<{ shares: ShareRecord[] }>('/v1/shares')
  const work = useWork()
  const end = (id: string) => work.run(() => api.remove(`/v1/shares/${id}`), reload)
  return (
    <ul>
      {value?.shares.map(it => (
        <li key={it.share_id} class="s row">
          <Link to={`/app/s/${it.share_id}`} class="grow" words={quoted(it.offering_name, 60)} />
          <Button class="link" disabled={work.busy} onClick={() => end(it.share_id)} words={t('End the link')} />
        </li>
      ))}
    </ul>
  )
}

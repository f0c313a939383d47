import { useState } from 'hono/jsx/dom'
import { toCsv } from '../../domain/text/csv.ts'
import type { ActivityRecord as Movement } from '../../records/market/activity.ts'
import { toUsdc } from '../client/format.ts'
import { useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Failed, Link, Notice, Time, Waiting } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { CoinIcon, DownloadIcon } from '../parts/icons.tsx'
import { Select } from '../parts/LineForm.tsx'
import { download, quoted } from '../parts/strangers.tsx'
import type { useActivity } from './activity.ts'
import { groups, isHeld, isReturned, nameOf, stateOf } from './movements.ts'

const columns = [
  'at',
  'kind',
  'amount',
  'currency',
  'offering_name',
  'subject',
  'agent_handle',
  'job_state',
  'counterparty',
  'transaction',
]

/** Movements that are shown at first, so that the rest of the account stays near. */
const fewRows = 12

export const Activity = ({ activity }: { activity: ReturnType<typeof useActivity> }) => {
  const { rows, next, error, more, readAll } = activity
  const [group, setGroup] = useState('All')
  const [isWhole, setWhole] = useState(false)
  const work = useWork()
  const kinds = groups.find(it => it.name === group)?.kinds ?? []
  const shown = rows?.filter(it => kinds.length === 0 || kinds.includes(it.kind)) ?? []
  const save = () =>
    work.run(async () => download({ text: toCsv({ columns, rows: await readAll() }), name: 'activity.csv', type: 'text/csv' }))
  return (
    <section class="card act" aria-labelledby="activity">
      <div class="row wrap">
        <h2 id="activity" class="grow">
          {t('Activity')}
        </h2>
        <Select
          class="in small"
          aria-label={t('Show')}
          options={groups.map(it => [it.name, t(it.name)])}
          chosen={group}
          set={setGroup}
        />
        <Button class="btn small" disabled={work.busy || !rows?.length} onClick={save} icon={<DownloadIcon />} words="CSV" />
      </div>
      {work.error && <Notice kind="error">{work.error}</Notice>}
      {error && !rows && <Failed error={error} reload={() => location.reload()} />}
      {!rows && !error && <Waiting />}
      {rows && shown.length === 0 && <p class="q s after">{t('Nothing yet.')}</p>}
      <ul>
        {(isWhole ? shown : shown.slice(0, fewRows)).map(it => (
          <Row key={it.activity_id} it={it} />
        ))}
      </ul>
      {(next || (!isWhole && shown.length > fewRows)) && (
        <Button
          class="link"
          disabled={work.busy}
          onClick={() => (isWhole ? work.run(more) : setWhole(true))}
          words={t('Show earlier')}
        />
      )}
    </section>
  )
}

const Row = ({ it }: { it: Movement }) => {
  const words = (
    <>
      <b class="one">
        {quoted(nameOf(it), 80)}
        {it.subject && it.offering_name && it.subject !== it.offering_name && (
          <span class="q">
            {' · '}
            {quoted(it.subject, 60)}
          </span>
        )}
      </b>
      <span class="q xs">{[it.agent_handle, stateOf(it)].filter(Boolean).map(text => `${text} · `)}</span>
      <span class="q xs">
        <Time at={it.at} />
      </span>
    </>
  )
  return (
    <li>
      {it.agent_id ? (
        <Face id={it.agent_id} size={34} />
      ) : (
        <span class="coin">
          <CoinIcon />
        </span>
      )}
      {it.run_id ? <Link to={`/app/runs/${it.run_id}`} class="grow" words={words} /> : <span class="grow">{words}</span>}
      <Amount it={it} />
    </li>
  )
}

const Amount = ({ it }: { it: Movement }) => {
  const sum = toUsdc(it.amount.replace('-', ''))
  if (isHeld(it)) return <span class="num q">{t('{sum} held', { sum })}</span>
  if (it.kind === 'refund') return <span class="num bk">{t('back {sum}', { sum })}</span>
  if (Number(it.amount) > 0) return <b class="num in-m">+{sum}</b>
  return isReturned(it) ? <span class="num q">−{sum}</span> : <b class="num amt">−{sum}</b>
}

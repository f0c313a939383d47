import type { MarkRecord } from '../../records/mark.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Link } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { quoted } from '../parts/strangers.tsx'

export const Marked = () => {
  const { api } = useReach()
  const { value, reload } = useLoaded<{ marks: MarkRecord[] }>('/v1/marks')
  const work = useWork()
  if (!value || value.marks.length === 0) return null
  const undo = (id: string) => work.run(() => api.remove(`/v1/marks/${encodeURIComponent(id)}`), reload)
  return (
    <section class="card" aria-labelledby="marked">
      <h3 id="marked">{t('Favourite and blocked agents')}</h3>
      <ul>
        {value.marks.map(it => (
          <li key={it.agent_id} class="after row">
            <Face id={it.agent_id} size={28} />
            <Link
              to={`/app/agents/${encodeURIComponent(it.agent_id)}`}
              class="grow"
              words={quoted(it.agent_name || it.agent_handle, 60)}
            />
            <span class="q xs">{it.mark === 'blocked' ? t('Blocked') : t('Favourite')}</span>
            <Button class="link" disabled={work.busy} onClick={() => undo(it.agent_id)} words={t('Undo')} />
          </li>
        ))}
      </ul>
      {work.error && <p role="alert">{work.error}</p>}
    </section>
  )
}

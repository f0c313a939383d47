import type { ProgramRecord } from '../../records/program.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Time } from '../parts/basics.tsx'
import { quoted } from '../parts/strangers.tsx'

export const Programs = () => {
  const { api } = useReach()
  const { value, reload } = useLoaded<{ programs: ProgramRecord[] }>('/v1/programs')
  const work = useWork()
  const programs = value?.programs ?? []
  const end = (id: string) => work.run(() => api.remove(`/v1/programs/${encodeURIComponent(id)}`), reload)
  return (
    <section class="card" aria-labelledby="programs">
      <h3 id="programs">{t('Connected programs')}</h3>
      <p class="q s">
        {programs.length === 0
          ? t('None. To connect a program such as Claude, give it the address {url}.', { url: `${location.origin}/mcp` })
          : t('They work for you within what you allowed. None can give a yes for you.')}
      </p>
      <ul>
        {programs.map(it => (
          <li key={it.program_id} class="after">
            <b>{quoted(it.name || it.redirect_host, 60)}</b>{' '}
            <span class="q xs">
              {it.redirect_host} · {it.scopes.map(one => one.scope).join(', ')} · <Time at={it.since} /> ·{' '}
              <Time at={it.last_used} />
            </span>{' '}
            <Button class="btn small" disabled={work.busy} onClick={() => end(it.program_id)} words={t('End it')} />
          </li>
        ))}
      </ul>
      {work.error && <p role="alert">{work.error}</p>}
    </section>
  )
}

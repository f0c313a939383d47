import type { ButlerRecord as Butler } from '../../records/conversation.ts'
import type { HealthRecord as Health } from '../../records/health.ts'
import { chainName } from '../client/format.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import { t, tn } from '../client/words.ts'
import { Button, Failed, Label, Notice, Usdc, Waiting } from '../parts/basics.tsx'
import { CheckIcon } from '../parts/icons.tsx'

export const Butlers = () => {
  const { value, error, reload } = useLoaded<Health>('/health')
  return (
    <section class="card" aria-labelledby="butlers">
      <h2 id="butlers">{t('Butler')}</h2>
      {error && <Failed error={error} reload={reload} />}
      {!value && !error && <Waiting />}
      <ul class="lines s">
        {value?.chains.map(it => (
          <ButlerOn key={it.chain_id} chain={it} />
        ))}
      </ul>
    </section>
  )
}

const ButlerOn = ({ chain }: { chain: Health['chains'][number] }) => {
  const { chain_id: chainId, notes } = chain
  const { api } = useReach()
  const { value, status, reload } = useLoaded<Butler>(`/butler?chain_id=${chainId}`)
  const work = useWork()
  const activate = () => work.run(() => api.post('/butler/activate', { chain_id: chainId }), reload)
  return (
    <li>
      <span>{chainName(chain)}</span>
      {value && <Label class="ok" icon={<CheckIcon />} words={t('active as {handle}', { handle: value.handle })} />}
      {value && (
        <span class="q">
          {tn(value.stats.completed_jobs, '{n} job|{n} jobs')} · <Usdc amount={String(value.stats.total_spent)} />
        </span>
      )}
      {status === 404 && <Button class="btn small" disabled={work.busy} onClick={activate} words={t('Activate')} />}
      {work.error && <Notice kind="error">{work.error}</Notice>}
      {notes.length > 0 && <p class="q s">{notes.join(' ')}</p>}
    </li>
  )
}

import { useState } from 'hono/jsx/dom'
import type { PasskeyRecord } from '../../records/passkey.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Time } from '../parts/basics.tsx'
import { RecoveryCode } from '../signIn/RecoveryCode.tsx'
import { YesLimit } from './YesLimit.tsx'

export const Passkeys = () => {
  const { api } = useReach()
  const { value, reload } = useLoaded<{ passkeys: PasskeyRecord[] }>('/v1/passkeys')
  const [code, setCode] = useState<string>()
  const work = useWork()
  const passkeys = value?.passkeys ?? []
  if (passkeys.length === 0) return null
  const change = (act: () => Promise<unknown>) => work.run(() => act(), reload)
  const renew = () =>
    work.run(async () => setCode((await api.post<{ recovery_code: string }>('/v1/passkeys/recovery-code', {})).recovery_code))
  return (
    <section class="card" aria-labelledby="passkeys">
      <h3 id="passkeys">{t('Passkeys')}</h3>
      <ul>
        {passkeys.map(it => (
          <li key={it.passkey_id} class="after">
            <b>{it.name}</b>{' '}
            <span class="q xs">
              {t('Since')} <Time at={it.since} /> · {t('last used')} <Time at={it.last_used} />
            </span>{' '}
            {passkeys.length > 1 && (
              <Button
                class="btn small"
                disabled={work.busy}
                onClick={() => change(() => api.remove(`/v1/passkeys/${encodeURIComponent(it.passkey_id)}`))}
                words={t('Remove')}
              />
            )}
          </li>
        ))}
      </ul>
      <p class="row wrap after">
        <Button
          class="btn small"
          disabled={work.busy}
          onClick={() => change(async () => (await import('../client/passkeys.ts')).add(api))}
          words={t('Add a passkey')}
        />
        <Button class="btn small" disabled={work.busy} onClick={renew} words={t('New recovery code')} />
      </p>
      <YesLimit />
      {code && <RecoveryCode code={code} onKept={() => setCode(undefined)} />}
      {work.error && <p role="alert">{work.error}</p>}
    </section>
  )
}

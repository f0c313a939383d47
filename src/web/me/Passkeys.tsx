import { useState } from 'hono/jsx/dom'
import type { PasskeyRecord } from '../../records/passkey.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Time } from '../parts/basics.tsx'
import { LineField, LineForm } from '../parts/LineForm.tsx'
import { RecoveryCode } from '../signIn/RecoveryCode.tsx'

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

/** The amount above which a yes asks the passkey. A higher one asks the passkey at once. */
const YesLimit = () => {
  const { api } = useReach()
  const { value, reload } = useLoaded<{ usdc: string }>('/v1/yes-limit')
  const [wanted, setWanted] = useState<string>()
  if (!value) return null
  const shown = wanted ?? value.usdc
  const set = async () => {
    await api.put('/v1/yes-limit', { usdc: shown.trim() })
    setWanted(undefined)
    reload()
  }
  return (
    <LineForm button={t('Save')} isReady={!['', value.usdc].includes(shown.trim())} send={set}>
      <LineField
        label={t('Ask my passkey above (USDC; 0: always)')}
        class="in num"
        inputmode="decimal"
        value={shown}
        set={setWanted}
      />
    </LineForm>
  )
}

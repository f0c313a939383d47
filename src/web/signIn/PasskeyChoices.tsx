import { useState } from 'hono/jsx/dom'
import type { PasskeyEntry } from '../../records/passkey.ts'
import { useEffect } from '../client/effects.ts'
import { useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Fault } from '../parts/basics.tsx'
import { RecoveryCode } from './RecoveryCode.tsx'

const load = () => import('../client/passkeys.ts')

/** Remembers that a passkey was used here, so that one click signs in again. */
const knownKey = 'passkey'

/** Signs the user in with a passkey, makes an account with a new one, or takes the recovery code of a lost one. */
export const PasskeyChoices = () => {
  const { api, session } = useReach()
  const work = useWork()
  const [entry, setEntry] = useState<PasskeyEntry>()
  const enter = (asked: () => Promise<PasskeyEntry>) =>
    work.run(async () => {
      const entered = await asked()
      localStorage.setItem(knownKey, 'used')
      if (entered.recovery_code) setEntry(entered)
      else session.signIn(entered.token)
    })
  const signIn = () => enter(async () => (await load()).signIn(api))
  useEffect(() => void (localStorage.getItem(knownKey) && signIn()), [])
  if (entry?.recovery_code) return <RecoveryCode code={entry.recovery_code} onKept={() => session.signIn(entry.token)} />
  return (
    <>
      <div class="row wrap">
        <Button class="btn main" disabled={work.busy} onClick={signIn} words={t('I have a passkey')} />
        <Button
          class="btn"
          disabled={work.busy}
          onClick={() => enter(async () => (await load()).signUp(api))}
          words={t('I am new here')}
        />
      </div>
      <Recover onCode={code => enter(async () => (await load()).recover(api, code))} />
      <Fault error={work.error} />
    </>
  )
}

const Recover = ({ onCode }: { onCode(code: string): void }) => {
  const [code, setCode] = useState('')
  return (
    <details class="s">
      <summary>{t('I lost my passkey')}</summary>
      <form
        onSubmit={(event: Event) => {
          event.preventDefault()
          onCode(code)
        }}
      >
        <label>
          {t('Recovery code')}{' '}
          <input
            value={code}
            autocomplete="off"
            onInput={(event: Event) => event.target instanceof HTMLInputElement && setCode(event.target.value)}
          />
        </label>{' '}
        <Button type="submit" class="btn small" disabled={code === ''} words={t('Recover')} />
      </form>
    </details>
  )
}

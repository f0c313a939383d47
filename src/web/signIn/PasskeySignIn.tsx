import { useState } from 'hono/jsx/dom'
import { createLater } from '../client/later.ts'
import { useReach } from '../client/reach.ts'
import { t } from '../client/words.ts'

const later = createLater(() => import('./PasskeyChoices.tsx'))

const Choices = () => {
  const loaded = later.use()
  return loaded ? <loaded.PasskeyChoices /> : null
}

/** The first way in. What follows is loaded with the click. */
export const PasskeySignIn = () => {
  const [isOpen, setOpen] = useState(false)
  const { isKnown, elsewhere } = useReach().passkeys
  if (isOpen) return <Choices />
  if (elsewhere)
    return (
      <a class="btn main start" href={elsewhere}>
        {t('Continue with a passkey')}
      </a>
    )
  if (!isKnown) return null
  return (
    <button type="button" class="btn main start" onClick={() => setOpen(true)}>
      <span>
        <b>{t('Continue with a passkey')}</b>
        <small>{t('Your fingerprint, face or PIN; nothing to install')}</small>
      </span>
    </button>
  )
}

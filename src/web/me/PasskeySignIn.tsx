import { useState } from 'hono/jsx/dom'
import { createLater } from '../client/later.ts'
import { t } from '../client/words.ts'

/** Passkeys need a name in the address, so a page that was opened by its number leads to the same page by its name. */
const byName = (): string | undefined =>
  location.hostname === '127.0.0.1' ? location.href.replace('//127.0.0.1', '//localhost') : undefined

const later = createLater(() => import('./PasskeyChoices.tsx'))

const Choices = () => {
  const loaded = later.use()
  return loaded ? <loaded.PasskeyChoices /> : null
}

/** The first way in. What follows is loaded with the click. */
export const PasskeySignIn = () => {
  const [isOpen, setOpen] = useState(false)
  const there = byName()
  if (isOpen) return <Choices />
  if (there)
    return (
      <a class="btn main start" href={there}>
        {t('Continue with a passkey')}
      </a>
    )
  if (!('PublicKeyCredential' in window)) return null
  return (
    <button type="button" class="btn main start" onClick={() => setOpen(true)}>
      <span>
        <b>{t('Continue with a passkey')}</b>
        <small>{t('Your fingerprint, face or PIN; nothing to install')}</small>
      </span>
    </button>
  )
}

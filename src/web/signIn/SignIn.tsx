import { useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { createLater } from '../client/later.ts'
import { useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Fault } from '../parts/basics.tsx'
import { Opened } from '../parts/Opened.tsx'
import { type BrowserWallet, findWallets, signIn, signInAsDemo } from './wallets.ts'

// What follows a click is loaded with it.
const email = createLater(() => import('./EmailSignIn.tsx'))
const passkey = createLater(() => import('./PasskeyChoices.tsx'))

const ByEmail = () => {
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return (
      <Opened part={email} isQuiet>
        {it => <it.EmailSignIn />}
      </Opened>
    )
  return <Button class="btn" onClick={() => setOpen(true)} words={t('Continue with an e-mail link')} />
}

/** Signs the user in with a passkey, or with a wallet of this browser, which signs one text. Both cost nothing. */
export const SignIn = () => {
  const { api, session, local, mail } = useReach()
  const work = useWork()
  const [wallets, setWallets] = useState<BrowserWallet[]>([])
  useEffect(() => findWallets(wallet => setWallets(known => [...known, wallet])), [])
  const enter = (token: Promise<string>) => work.run(async () => session.signIn(await token))
  return (
    <section class="sign-in" aria-label={t('Sign in')}>
      <PasskeySignIn />
      {local && (
        <button type="button" class="btn start" disabled={work.busy} onClick={() => enter(signInAsDemo(api, localStorage))}>
          <span>
            <b>{t('Start with a demo wallet')}</b>
            <small>{t('25 test dollars, nothing to install')}</small>
          </span>
        </button>
      )}
      {mail && <ByEmail />}
      {wallets.map(wallet => (
        <Button key={wallet.id} class="btn" disabled={work.busy} onClick={() => enter(signIn(api, wallet))} words={wallet.name} />
      ))}
      <p class="q s">
        {wallets.length > 0
          ? t('Your wallet signs one text.')
          : t('To use your own wallet, install or unlock it and load this page again.')}{' '}
        {t('Signing in is free and moves no money.')}
      </p>
      <Fault error={work.error} />
    </section>
  )
}

const PasskeySignIn = () => {
  const [isOpen, setOpen] = useState(false)
  const { isKnown, elsewhere } = useReach().passkeys
  if (isOpen)
    return (
      <Opened part={passkey} isQuiet>
        {it => <it.PasskeyChoices />}
      </Opened>
    )
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

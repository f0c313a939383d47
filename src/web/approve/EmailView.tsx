import type { PasskeyEntry } from '../../records/passkey.ts'
import { keepProof } from '../client/proof.ts'
import { useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Link, Notice, Title } from '../parts/basics.tsx'

/** Where an e-mailed link leads. The person presses the button, because mail programs open links by themselves. */
export const EmailView = () => {
  const { api, router, session } = useReach()
  const work = useWork()
  const enter = () =>
    work.run(async () => {
      const entry = await api.post<PasskeyEntry>('/v1/email/enter', { code: location.hash.slice(1) })
      keepProof(entry)
      session.signIn(entry.token)
      router.go('/', { replace: true })
    })
  return (
    <div class="asked">
      <Title>{t('Sign in by e-mail')}</Title>
      <section class="card" aria-label={t('Sign in by e-mail')}>
        <p>{t('You opened the link that we sent you. It works once.')}</p>
        <Button class="btn main after" disabled={work.busy} onClick={enter} words={t('Sign in')} />
      </section>
      {work.error && (
        <Notice kind="error" title={t('You are not signed in.')}>
          <p>{work.error}</p>
          <Link to="/" class="btn small" words={t('Ask for a new link')} />
        </Notice>
      )}
    </div>
  )
}

import { t } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { CopyButton } from '../parts/copy.tsx'

export const RecoveryCode = ({ code, onKept }: { code: string; onKept(): void }) => (
  <section class="card" aria-label={t('Recovery code')}>
    <p>{t('Keep this recovery code. It opens your account if you lose your passkey, and it is not shown again.')}</p>
    <p class="row wrap">
      <code class="mono whole">{code}</code>
      <CopyButton text={code} />
    </p>
    <Button class="btn main" onClick={onKept} words={t('I have kept it')} />
  </section>
)

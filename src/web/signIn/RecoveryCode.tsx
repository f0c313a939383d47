import { t } from '../client/words.ts'
import { useCopy } from '../parts/basics.tsx'
import { CheckIcon, CopyIcon } from '../parts/icons.tsx'

/** A recovery code, which is shown this once. */
export const RecoveryCode = ({ code, onKept }: { code: string; onKept(): void }) => {
  const [isCopied, copy] = useCopy()
  return (
    <section class="card" aria-label={t('Recovery code')}>
      <p>{t('Keep this recovery code. It opens your account if you lose your passkey, and it is not shown again.')}</p>
      <p class="row wrap">
        <code class="mono break">{code}</code>
        <button type="button" class="btn small" onClick={() => copy(code)}>
          {isCopied ? <CheckIcon /> : <CopyIcon />} {isCopied ? t('Copied') : t('Copy')}
        </button>
      </p>
      <button type="button" class="btn main" onClick={onKept}>
        {t('I have kept it')}
      </button>
    </section>
  )
}

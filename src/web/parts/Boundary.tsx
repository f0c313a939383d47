import type { PropsWithChildren } from 'hono/jsx'
import { ErrorBoundary } from 'hono/jsx/dom'
import { t } from '../client/words.ts'
import { Button, Notice, Title } from './basics.tsx'

export const Boundary = ({ children }: PropsWithChildren) => <ErrorBoundary fallbackRender={Broken}>{children}</ErrorBoundary>

const Broken = () => (
  <>
    <Title>{t('This page broke')}</Title>
    <Notice kind="error" title={t('Something here could not be shown.')}>
      <p>
        {t('Nothing was lost: what you said, hired and paid is kept by the service. Load the page again, or go elsewhere above.')}
      </p>
      <Button class="btn" onClick={() => location.reload()} words={t('Load again')} />
    </Notice>
  </>
)

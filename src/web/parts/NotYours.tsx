import { t } from '../client/words.ts'
import { Link, Notice, Title } from './basics.tsx'
import { Drawing } from './Drawing.tsx'

/** The address of something that this user does not have. The service does not tell whether it is somebody else's. */
export const NotYours = ({ what }: { what: 'conversation' | 'run' }) => (
  <>
    <Title>{t(what === 'run' ? 'Not your run' : 'Not your conversation')}</Title>
    <Notice kind="empty">
      <Drawing />
      <p>{t('It is somebody else’s, or it does not exist. Only its owner can read it.')}</p>
      <Link to="/" class="btn">
        {t('Start a conversation')}
      </Link>
    </Notice>
  </>
)

import { t } from '../client/words.ts'
import { Link } from './basics.tsx'
import { Empty } from './Empty.tsx'

/** The address of something that this user does not have. The service does not tell whether it is somebody else's. */
export const NotYours = ({ what }: { what: 'conversation' | 'run' }) => (
  <Empty
    title={t(what === 'run' ? 'Not your run' : 'Not your conversation')}
    words={t('It is somebody else’s, or it does not exist. Only its owner can read it.')}
  >
    <Link to="/" class="btn" words={t('Start a conversation')} />
  </Empty>
)

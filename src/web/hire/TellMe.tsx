import { startTelling, useTelling } from '../client/notices.ts'
import { useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, useNow } from '../parts/basics.tsx'
import { BellIcon } from '../parts/icons.tsx'

/** A job that takes longer than this may end while its user is elsewhere. */
const longMs = 5_000

/** Offers to tell this browser when a job ends. @param since ISO time of the yes */
export const TellMe = ({ since }: { since: string | undefined }) => {
  const { api } = useReach()
  const [telling, setTelling] = useTelling()
  const work = useWork()
  const isLong = useNow(telling !== 'unable') - Date.parse(since ?? '') > longMs
  if (!isLong || telling === undefined || telling === 'unable') return null
  if (telling === 'on') return <span class="q s">{t('You will be told when it is done.')}</span>
  if (telling === 'refused') return <span class="q s">{t('This browser does not let the page tell you more.')}</span>
  return (
    <>
      <Button
        class="link"
        disabled={work.busy}
        onClick={() => work.run(async () => setTelling(await startTelling(api)))}
        icon={<BellIcon />}
        words={t('Tell me when it is done')}
      />
      {work.error && <span role="alert">{work.error}</span>}
    </>
  )
}

import { toReadable } from '../client/format.ts'
import { useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Link } from '../parts/basics.tsx'

type LimitsProps = { text: string; isOpen: boolean; say(text: string): Promise<void> }

/** What the butler says about spending limits, with the place where they are set. An open offer is set by its button. */
export const Limits = ({ text, isOpen, say }: LimitsProps) => {
  const work = useWork()
  return (
    <>
      <p class="said">{toReadable(text)}</p>
      <div class="row wrap after">
        {isOpen && (
          <Button class="btn main" disabled={work.busy} onClick={() => work.run(() => say('yes'))} words={t('Set this limit')} />
        )}
        <Link to="/app/me#limits" class="link" words={t('Spending limits')} />
      </div>
      {work.error && <p role="alert">{work.error}</p>}
    </>
  )
}

import { useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { kilobytes } from './Picture.tsx'

export const Unfetched = ({ chars, load }: { chars: number; load(): Promise<unknown> }) => {
  const work = useWork()
  return (
    <div class="row linkbox">
      <span class="grow">
        <b>{t('A long result')}</b>
        <br />
        <span class="q s">{t('{size}, not loaded yet', { size: kilobytes(chars) })}</span>
      </span>
      <Button class="btn small" disabled={work.busy} onClick={() => work.run(load)} words={t('Show it')} />
      {work.error && <span role="alert">{work.error}</span>}
    </div>
  )
}

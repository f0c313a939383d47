import { t } from '../client/words.ts'
import { Filled } from '../parts/Filled.tsx'
import { OutIcon } from '../parts/icons.tsx'
import { quoted } from '../parts/strangers.tsx'
import { hostOf } from './hosts.ts'

/** A link from an agent, with its host shown before it is opened. */
export const Leaving = ({ url }: { url: string }) => {
  const host = hostOf(url)
  return (
    <div class="row linkbox">
      <span class="grow">
        <b>{quoted(url, 120)}</b>
        <br />
        <span class="q s">
          <Filled words={t('Leads to {host}, outside the marketplace')} of={{ host: <b>{host}</b> }} />
        </span>
      </span>
      {host && (
        <a class="btn small" href={url} target="_blank" rel="noreferrer noopener nofollow">
          {t('Open')} <OutIcon />
        </a>
      )}
    </div>
  )
}

import { useState } from 'hono/jsx/dom'
import type { Proposal } from '../../domain/runs/proposal.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { ShareRecord } from '../../records/share.ts'
import { toUsdc } from '../client/format.ts'
import { useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, useCopy } from '../parts/basics.tsx'
import { ShareIcon } from '../parts/icons.tsx'

const becomesPublic =
  'Everybody with the link will see this result, the agent {name}, the price of {sum} USDC and the day. Not your name, your wallet, or what you wrote. You can end it at any time.'

/** Shows a result to others by a link. Its owner sees first what everybody with the link will see. */
export const Share = ({ runId, agreed }: { runId: string; agreed: Proposal | undefined }) => {
  const { api } = useReach()
  const work = useWork()
  const [isOpen, setOpen] = useState(false)
  const [share, setShare] = useState<ShareRecord | undefined>(undefined)
  const open = () =>
    work.run(async () => {
      const { shares } = await api.get<{ shares: ShareRecord[] }>(`/v1/shares?run_id=${runId}`)
      setShare(shares[0])
      setOpen(true)
    })
  const make = () => work.run(async () => setShare(await api.post<ShareRecord>('/v1/shares', { run_id: runId })))
  const end = (id: string) =>
    work.run(async () => {
      await api.remove(`/v1/shares/${id}`)
      setShare(undefined)
      setOpen(false)
    })
  return (
    <>
      <Button
        class="link"
        aria-expanded={isOpen ? 'true' : 'false'}
        disabled={work.busy}
        onClick={() => (isOpen ? setOpen(false) : open())}
        icon={<ShareIcon />}
        words={t('Share')}
      />
      {isOpen && (
        <section class="share" aria-label={t('Share this result')}>
          {share ? (
            <Link share={share} isBusy={work.busy} end={() => end(share.share_id)} />
          ) : (
            <>
              <p class="s">
                {t(becomesPublic, { name: toQuotable(agreed?.agentName ?? '', 60), sum: toUsdc(agreed?.total ?? '0') })}
              </p>
              <Button class="btn small main" disabled={work.busy} onClick={make} words={t('Make a link')} />
            </>
          )}
        </section>
      )}
      {work.error && <span role="alert">{work.error}</span>}
    </>
  )
}

const Link = ({ share, isBusy, end }: { share: ShareRecord; isBusy: boolean; end(): void }) => {
  const [isCopied, copy] = useCopy()
  const url = `${location.origin}${new URL(share.url).pathname}`
  return (
    <>
      <label class="s" for={`share-${share.share_id}`}>
        {t('Everybody with this link sees the result')}
      </label>
      <span class="row wrap">
        <input id={`share-${share.share_id}`} class="in grow" readonly value={url} />
        <Button class="btn small main" onClick={() => copy(url)} words={isCopied ? t('Copied') : t('Copy the link')} />
        <Button class="btn small" disabled={isBusy} onClick={end} words={t('End the link')} />
      </span>
    </>
  )
}

import { useState } from 'hono/jsx/dom'
import type { MarkRecord } from '../../records/mark.ts'
import { useLoaded, useReach, useToken, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, textOf } from './basics.tsx'
import { Select } from './LineForm.tsx'

const reasons = [
  ['fraud', 'It takes money for nothing'],
  ['harmful', 'It does harm'],
  ['not-what-it-says', 'It is not what it says'],
  ['copied', 'It sells the work of others'],
  ['other', 'Something else'],
] as const

export const Marks = ({ agentId }: { agentId: string }) => (useToken() ? <OwnMarks agentId={agentId} /> : null)

const OwnMarks = ({ agentId }: { agentId: string }) => {
  const { api } = useReach()
  const { value, reload } = useLoaded<{ marks: MarkRecord[] }>('/v1/marks')
  const work = useWork()
  const [isOpen, setOpen] = useState(false)
  const mark = value?.marks.find(it => it.agent_id === agentId)?.mark
  const path = `/v1/marks/${encodeURIComponent(agentId)}`
  const set = (to: MarkRecord['mark']) => work.run(() => (mark === to ? api.remove(path) : api.put(path, { mark: to })), reload)
  return (
    <div class="marks">
      {(['favourite', 'blocked'] as const).map(it => (
        <Button
          class="btn small"
          key={it}
          aria-pressed={`${mark === it}`}
          disabled={work.busy}
          onClick={() => set(it)}
          words={it === 'favourite' ? `${mark === it ? '★' : '☆'} ${t('Favourite')}` : t(mark === it ? 'Blocked' : 'Block')}
        />
      ))}
      <Button class="link" aria-expanded={`${isOpen}`} onClick={() => setOpen(!isOpen)} words={t('Report')} />
      {mark === 'blocked' && (
        <p class="q s" role="status">
          {t('You blocked this agent. It is not found, proposed or hired for you.')}
        </p>
      )}
      {isOpen && <ReportForm agentId={agentId} />}
      {work.error && <p role="alert">{work.error}</p>}
    </div>
  )
}

const ReportForm = ({ agentId }: { agentId: string }) => {
  const { api } = useReach()
  const work = useWork()
  const [reason, setReason] = useState<string>(reasons[0][0])
  const [words, setWords] = useState('')
  const [isSent, setSent] = useState(false)
  if (isSent) return <p role="status">{t('Thank you. The operator sees it; the agent does not learn of you.')}</p>
  const send = (event: Event) => {
    event.preventDefault()
    work.run(
      () => api.post('/v1/reports', { agent_id: agentId, reason, words }),
      () => setSent(true),
    )
  }
  return (
    <form class="report" onSubmit={send}>
      <label>
        {t('What is wrong with it?')}
        <Select options={reasons.map(([value, shown]) => [value, t(shown)])} chosen={reason} set={setReason} />
      </label>
      <label>
        {t('What happened (optional)')}
        <textarea class="in" rows={2} maxlength={500} value={words} onInput={event => setWords(textOf(event))} />
      </label>
      <Button type="submit" class="btn small main" disabled={work.busy} words={t('Send the report')} />
      {work.error && <p role="alert">{work.error}</p>}
    </form>
  )
}

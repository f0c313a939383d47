import { useState } from 'hono/jsx/dom'
import { useReach, useWork } from '../client/reach.ts'
import type { Agent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { Button, Notice } from '../parts/basics.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Code } from '../result/Code.tsx'
import { waysOf, withSecret } from './connect.ts'

/** Instructions to copy for a program that takes this agent's jobs. */
export const Connect = ({ agent }: { agent: Agent }) => {
  const { api } = useReach()
  const work = useWork()
  const ways = waysOf(location.origin, agent.agent_id)
  const [chosen, setChosen] = useState('shell')
  const [secret, setSecret] = useState<string | undefined>(undefined)
  const way = ways.find(it => it.id === chosen) ?? ways[0]
  const issue = () =>
    work.run(async () => {
      const answer = await api.post<{ secret: string }>(`/agents/${encodeURIComponent(agent.agent_id)}/secret`, {})
      setSecret(answer.secret)
    })
  return (
    <section class="card" aria-labelledby="connect">
      <h2 id="connect">{t('Connect your program')}</h2>
      <p class="q s">{t('Copy these lines. With the secret in them, keep them to yourself.')}</p>
      <div class="tabs" role="tablist" aria-label={t('Programming language')}>
        {ways.map(it => (
          <Button
            role="tab"
            key={it.id}
            aria-selected={it === way ? 'true' : 'false'}
            aria-controls="connect-lines"
            onClick={() => setChosen(it.id)}
            words={it.name}
          />
        ))}
      </div>
      <div id="connect-lines" role="tabpanel" class="lines-box">
        {way && <Code text={withSecret(way.lines, secret)} language={way.id} />}
        <CopyButton class="copy" text={way && withSecret(way.lines, secret)} />
      </div>
      <div class="row after wrap">
        <span class="q s grow">
          {secret ? t('This secret is shown once. A new one replaces it.') : t('A new secret replaces the old one.')}
        </span>
        <Button class="btn small" disabled={work.busy} onClick={issue} words={secret ? t('New secret') : t('Show a secret')} />
      </div>
      {work.error && <Notice kind="error">{work.error}</Notice>}
    </section>
  )
}

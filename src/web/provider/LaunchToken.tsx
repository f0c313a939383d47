import { useState } from 'hono/jsx/dom'
import type { TokenRecord as Token } from '../../records/token.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import type { Agent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { Button, Link, Notice, textOf } from '../parts/basics.tsx'
import { ChevronIcon } from '../parts/icons.tsx'

type Launch = { status: 'pending' | 'launched' | 'failed'; reason: string }

/** The token of the owner's agent, or a form that launches it. Nothing is shown where the chain has no tokens. */
export const LaunchToken = ({ agent }: { agent: Agent }) => {
  const path = `/tokens?agent=${encodeURIComponent(agent.agent_id)}&chain_id=${agent.chain_id}`
  const { value, reload } = useLoaded<{ tokens: Token[] }>(path)
  const [token] = value?.tokens ?? []
  if (!value) return null
  return (
    <details class="card">
      <summary class="row">
        <b class="grow">{t('Token')}</b>
        <span class="q s">{token ? token.symbol : t('none')}</span>
        <ChevronIcon />
      </summary>
      {token ? (
        <p class="s after">
          {t('{name} ({symbol}) is traded on the page of the agent.', { name: token.name, symbol: token.symbol })}{' '}
          <Link to={`/app/agents/${agent.agent_id}`}>{t('See the page')}</Link>
        </p>
      ) : (
        <LaunchForm agent={agent} onLaunched={reload} />
      )}
    </details>
  )
}

const LaunchForm = ({ agent, onLaunched }: { agent: Agent; onLaunched(): void }) => {
  const { api } = useReach()
  const work = useWork()
  const [name, setName] = useState('')
  const [symbol, setSymbol] = useState('')
  const [isPending, setPending] = useState(false)
  const launch = (event: Event) => {
    event.preventDefault()
    work.run(async () => {
      const body = { name: name.trim(), symbol: symbol.trim() }
      const { status, reason } = await api.post<Launch>(`/agents/${encodeURIComponent(agent.agent_id)}/token`, body)
      if (status === 'failed') throw new Error(reason)
      setPending(status === 'pending')
      onLaunched()
    })
  }
  return (
    <form class="stack after" onSubmit={launch} aria-label={t('Launch a token')}>
      <p class="q s">
        {t(
          'A token is a speculation about your agent. It gives nobody a share of what the agent earns, and it is no part of hiring. Its supply is fixed, and it cannot be taken back. The marketplace pays the network fee.',
        )}
      </p>
      <div class="row wd">
        <label class="field grow">
          <span>{t('Token name')}</span>
          <input class="in" value={name} maxlength={32} required onInput={event => setName(textOf(event))} />
        </label>
        <label class="field">
          <span>{t('Symbol')}</span>
          <input class="in" value={symbol} maxlength={10} required onInput={event => setSymbol(textOf(event).toUpperCase())} />
        </label>
        <Button type="submit" class="btn" disabled={work.busy || !name.trim() || !symbol.trim()} words={t('Launch it')} />
      </div>
      {isPending && <p class="s">{t('The launch is on its way. It is here in a moment.')}</p>}
      {work.error && <Notice kind="error">{work.error}</Notice>}
    </form>
  )
}

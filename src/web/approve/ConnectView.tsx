import { useState } from 'hono/jsx/dom'
import type { ProgramRequest } from '../../records/program.ts'
import { useLoaded, useReach, useToken, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Link, Notice, Title, Waiting } from '../parts/basics.tsx'
import { Drawing } from '../parts/Drawing.tsx'
import { Empty } from '../parts/Empty.tsx'
import { Filled } from '../parts/Filled.tsx'
import { quoted } from '../parts/strangers.tsx'
import { SignIn } from '../signIn/SignIn.tsx'

const title = 'A program asks to act for you'

/**
 * The page to which a program sends its user to be let in (OAuth 2.1). Where the answer goes is shown first, because a program
 * gives itself its name.
 */
export const ConnectView = ({ path }: { path: string }) => {
  const query = path.split('?')[1] ?? ''
  const asked = useLoaded<ProgramRequest>(`/oauth/request?${query}`)
  const token = useToken()
  if (asked.error)
    return (
      <>
        <Title>{t('This program cannot be let in')}</Title>
        <Notice kind="error">
          <p>{asked.error}</p>
          <p class="q s">{t('Nothing was allowed. Start the sign-in again in the program.')}</p>
        </Notice>
      </>
    )
  if (!asked.value)
    return (
      <>
        <Title>{t(title)}</Title>
        <Waiting />
      </>
    )
  const { redirect_to } = asked.value
  if (redirect_to !== undefined)
    return (
      <Empty title={t('The program asked in a wrong way')} words={t('Nothing was allowed. It can tell you more.')}>
        <a class="btn" href={redirect_to} rel="noreferrer">
          {t('Back to the program')}
        </a>
      </Empty>
    )
  return token ? <Question query={query} asked={asked.value} /> : <Stranger asked={asked.value} />
}

const Who = ({ asked }: { asked: ProgramRequest }) => (
  <p>
    <Filled
      words={t('The answer goes to {host}. The program calls itself {name}.')}
      of={{
        host: <b class="whole">{asked.redirect_host}</b>,
        name: quoted(asked.client_name || '–', 60),
      }}
    />
  </p>
)

/** A visitor signs in first. */
const Stranger = ({ asked }: { asked: ProgramRequest }) => (
  <>
    <Title>{t(title)}</Title>
    <Notice kind="empty">
      <Drawing />
      <Who asked={asked} />
      <p>{t('Sign in to answer it.')}</p>
      <SignIn />
    </Notice>
  </>
)

const Question = ({ query, asked }: { query: string; asked: ProgramRequest }) => {
  const { api } = useReach()
  const work = useWork()
  const [refused, setRefused] = useState<string[]>([])
  const isAllowed = (scope: string) => !refused.includes(scope)
  const toggle = (scope: string) => setRefused(isAllowed(scope) ? [...refused, scope] : refused.filter(it => it !== scope))
  const answer = (decision: 'yes' | 'no') =>
    work.run(async () => {
      const scopes = asked.scopes.map(it => it.scope).filter(isAllowed)
      const body = { ...Object.fromEntries(new URLSearchParams(query)), decision, scopes }
      const { redirect_to } = await api.post<{ redirect_to: string }>('/oauth/answer', body)
      location.assign(redirect_to)
    })
  return (
    <div class="asked">
      <Title>{t(title)}</Title>
      <section class="card" aria-label={t('Request')}>
        <Who asked={asked} />
        <fieldset class="after">
          <legend>{t('It asks for this')}</legend>
          {asked.scopes.map(({ scope, sentence }) => (
            <label key={scope} class="row">
              <input type="checkbox" checked={isAllowed(scope)} onChange={() => toggle(scope)} />
              <span>{sentence}</span>
            </label>
          ))}
        </fieldset>
        <p class="q s after">{t('It cannot give a yes for you. You can end it at any time under Account.')}</p>
        <div class="row after wrap">
          <Button
            class="btn main"
            disabled={work.busy || refused.length === asked.scopes.length}
            onClick={() => answer('yes')}
            words={t('Allow')}
          />
          <Button class="btn" disabled={work.busy} onClick={() => answer('no')} words={t('Refuse')} />
        </div>
        {work.error && <p role="alert">{work.error}</p>}
      </section>
      <p class="after">
        <Link to="/app/me">{t('Open your account')}</Link>
      </p>
    </div>
  )
}

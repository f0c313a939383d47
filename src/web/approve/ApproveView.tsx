import { useState } from 'hono/jsx/dom'
import type { ApprovalRecord } from '../../records/approval.ts'
import { RunTurns, type Say } from '../chat/Turns.tsx'
import { useLoaded, useReach, useToken, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Link, Title, Waiting } from '../parts/basics.tsx'
import { Empty } from '../parts/Empty.tsx'
import { SignIn } from '../signIn/SignIn.tsx'

type Asked = { runId: string; code: string; isDemo: boolean }

/** Reads the address that a program gave its user. */
const toAsked = (runId: string, path: string): Asked => {
  const query = new URLSearchParams(path.split('?')[1] ?? '')
  return { runId, code: query.get('code') ?? '', isDemo: query.has('demo') }
}

/**
 * The page to which a program sends its user for the yes that the program cannot give: the proposal as in the chat, and then
 * what follows from the answer. Only the user of the run sees it.
 */
export const ApproveView = ({ id, path }: { id: string; path: string }) => {
  const asked = toAsked(id, path)
  const token = useToken()
  const query = new URLSearchParams({ code: asked.code })
  const approval = useLoaded<ApprovalRecord>(token && `/v1/hires/${encodeURIComponent(id)}/approval?${query}`)
  if (token && approval.value) return <Proposal {...approval.value} />
  if (token && !approval.error)
    return (
      <>
        <Title>{t('A program asks for your yes')}</Title>
        <Waiting />
      </>
    )
  return <Closed {...asked} error={token && approval.error} />
}

/** The proposal of one run. Another message of the user leads to the conversation. */
const Proposal = ({ run_id: runId, conversation_id, chain_id }: ApprovalRecord) => {
  const { api, router } = useReach()
  const [round, setRound] = useState(0)
  const toConversation = `/app/c/${encodeURIComponent(conversation_id)}`
  const say: Say = async (message, digest) => {
    const body = { message, conversation_id, chain_id, wait_ms: 0, ...(digest && { digest }) }
    const { run_id } = await api.post<{ run_id: string }>('/invoke', body)
    if (run_id === runId) setRound(it => it + 1)
    else router.go(toConversation)
  }
  return (
    <div class="asked">
      <Title>{t('A program asks for your yes')}</Title>
      <p class="q">
        {t('It works for you and cannot pay by itself. Nothing is paid before you approve it here. Then go back to it.')}
      </p>
      <RunTurns runId={runId} say={say} onNext={() => undefined} round={round} pending={undefined} />
      <p class="after">
        <Link to={toConversation}>{t('Open the conversation')}</Link>
      </p>
    </div>
  )
}

/** What somebody else sees, or its user before signing in. In the local world one click signs in as the demo user. */
const Closed = ({ runId, code, isDemo, error }: Asked & { error: string | undefined }) => {
  const { api, session, local } = useReach()
  const work = useWork()
  const openAsDemo = () =>
    work.run(async () => {
      const { token } = await api.post<{ token: string }>(`/v1/hires/${encodeURIComponent(runId)}/approval/demo`, { code })
      session.signIn(token)
    })
  return (
    <Empty
      title={t(error ? 'This is not shown to you' : 'Sign in to answer it.')}
      words={error ?? t('A program asks for a yes. Only the user whom it works for sees the proposal.')}
    >
      {local && isDemo && (
        <Button class="btn main" disabled={work.busy} onClick={openAsDemo} words={t('Open as the demo user')} />
      )}
      {local && isDemo && <p class="q s">{t('This browser is then signed in as the demo user of this service.')}</p>}
      {work.error && <p role="alert">{work.error}</p>}
      {!error && !isDemo && <SignIn />}
    </Empty>
  )
}

import { useRef, useState } from 'hono/jsx/dom'
import { useEffect } from './client/effects.ts'
import { useConversations, usePath, useReach, useToken } from './client/reach.ts'
import { focusTitle, setNews } from './client/title.ts'
import { t } from './client/words.ts'
import { Door } from './door/Door.tsx'
import { Frame } from './Frame.tsx'
import { Boundary } from './parts/Boundary.tsx'
import { Link } from './parts/basics.tsx'
import { Empty } from './parts/Empty.tsx'
import { Opened } from './parts/Opened.tsx'
import { SignIn } from './signIn/SignIn.tsx'
import { account, asked, chat, loadRest, market, provider, run, shared } from './views.ts'

const isChat = (path: string): boolean => path.split('?')[0] === '/' || path.startsWith('/app/c/')

/** Counts the conversations with something new in the title and the icon of the tab; what the user looks at is not new. */
const useNews = (): void => {
  const { conversations } = useReach()
  const { unread, list } = useConversations()
  const [, , place, id = ''] = usePath().split('?')[0]?.split('/') ?? []
  const current = place === 'c' ? decodeURIComponent(id) : undefined
  // What was shown until now was seen, also if the list does not have it yet.
  useEffect(() => () => void (current && conversations.reload().then(() => conversations.see(current))), [current])
  useEffect(() => {
    const look = () => {
      const isHere = document.visibilityState === 'visible'
      if (isHere && current) conversations.see(current)
      setNews([...unread].filter(it => !(isHere && it === current)).length)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [unread, list, current])
}

/** The page: its header and the view for the current path and session. A new view moves the focus to its heading. */
export const Page = () => {
  const path = usePath()
  const token = useToken()
  const { session } = useReach()
  const [isListOpen, setListOpen] = useState(false)
  const view = `${token ? 'user' : 'stranger'} ${path}`
  const seen = useRef(view)
  useEffect(() => {
    if (seen.current === view) return
    seen.current = view
    setListOpen(false)
    // The focus stays in the message field while the user writes there.
    const isWriting = isChat(path) && document.activeElement?.id === 'say'
    if (!isWriting) focusTitle()
  }, [view])
  const isTalk = token !== undefined && isChat(path)
  useNews()
  useEffect(() => {
    if (token)
      void chat.load().then(
        () => loadRest(session),
        () => undefined,
      )
  }, [token])
  return (
    <Frame
      place={placeOf(path)}
      token={token}
      list={isTalk ? { isOpen: isListOpen, toggle: () => setListOpen(!isListOpen) } : undefined}
      isWide={isTalk || (!token && isChat(path))}
    >
      <Boundary key={isTalk ? 'talk' : path.split('?')[0]}>
        <View path={path} token={token} isListOpen={isListOpen} />
      </Boundary>
    </Frame>
  )
}

/** Decodes a part of a path; returns a malformed one unchanged. */
const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const partsOf = (path: string): string[] => (path.split('?')[0] ?? '').split('/').slice(2).map(decode)

/** Returns the navigation entry to which a path belongs. */
const placeOf = (path: string): string => {
  const [place = ''] = partsOf(path)
  if (place === 'agents') return 'market'
  return ['c', 'runs', 'yes', 'connect', 'email'].includes(place) ? '' : place
}

type ViewProps = { path: string; token: string | undefined; isListOpen: boolean }

const View = ({ path, token, isListOpen }: ViewProps) => {
  const [place, ...rest] = partsOf(path)
  const id = rest.at(-1)
  if (place === 'market') return <Opened part={market}>{it => <it.MarketView />}</Opened>
  if (place === 'rankings') return <Opened part={market}>{it => <it.RankingsView />}</Opened>
  if (place === 'agents' && id) return <Opened part={market}>{it => <it.AgentView key={id} id={id} />}</Opened>
  if (place === 's' && id) return <Opened part={shared}>{it => <it.SharedView key={id} id={id} />}</Opened>
  if (place === 'email') return <Opened part={asked}>{it => <it.EmailView />}</Opened>
  if (place === 'connect' || (place === 'yes' && id)) return <Asked token={token} id={id} path={path} />
  if (!token) return isChat(path) ? <Door /> : <Nowhere isStranger />
  if (place === 'runs' && id) return <Opened part={run}>{it => <it.RunView key={id} id={id} />}</Opened>
  if (place === 'me' && (rest[0] === 'agents' || !id)) return <Account rest={rest} />
  if (isChat(path))
    return <Opened part={chat}>{it => <it.ChatView id={place === 'c' ? id : undefined} isListOpen={isListOpen} />}</Opened>
  return <Nowhere />
}

const Account = ({ rest: [place, id] }: { rest: string[] }) =>
  place === 'agents' ? (
    <Opened part={provider}>{it => (id ? <it.MyAgentView key={id} id={id} /> : <it.AgentsView />)}</Opened>
  ) : (
    <Opened part={account}>{it => <it.MeView />}</Opened>
  )

/** What a program sends its user here for. */
const Asked = ({ token, id, path }: { token: string | undefined; id: string | undefined; path: string }) => (
  <Opened part={asked}>
    {it => (id ? <it.ApproveView key={`${token} ${id}`} id={id} path={path} /> : <it.ConnectView key={`${token}`} path={path} />)}
  </Opened>
)

const Nowhere = ({ isStranger = false }: { isStranger?: boolean }) =>
  isStranger ? (
    <Empty title={t('Sign in first')} words={t('This is shown to its owner alone.')}>
      <SignIn />
    </Empty>
  ) : (
    <Empty title={t('Nothing is here')} words={t('This address shows nothing.')}>
      <Link to="/" class="btn" words={t('Go to your butler')} />
    </Empty>
  )

import { useEffect, useRef } from 'hono/jsx/dom'
import { ChatView } from './chat/ChatView.tsx'
import { toUsdc } from './client/format.ts'
import { useLoaded, useMoved, usePath, useToken } from './client/reach.ts'
import { toggleTheme } from './client/theme.ts'
import type { Wallet } from './client/wire.ts'
import { AgentView } from './market/AgentView.tsx'
import { MarketView } from './market/MarketView.tsx'
import { RankingsView } from './market/RankingsView.tsx'
import { AgentsView } from './me/AgentsView.tsx'
import { MeView } from './me/MeView.tsx'
import { MyAgentView } from './me/MyAgentView.tsx'
import { SignIn } from './me/SignIn.tsx'
import { Boundary } from './parts/Boundary.tsx'
import { Link, Notice, Title } from './parts/basics.tsx'
import { ChatIcon, MarketIcon, PersonIcon, RankIcon, SunIcon } from './parts/icons.tsx'
import { RunView } from './run/RunView.tsx'

/** Header, the view that the address and the user's session name, and the focus on its heading when another one opens. */
export const Page = () => {
  const path = usePath()
  const token = useToken()
  const view = `${token ? 'user' : 'stranger'} ${path}`
  const seen = useRef(view)
  useEffect(() => {
    if (seen.current === view) return
    seen.current = view
    document.getElementById('title')?.focus({ preventScroll: true })
  }, [view])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header place={placeOf(path)} token={token} />
      <main id="main">
        <Boundary key={path}>
          <View path={path} token={token} />
        </Boundary>
      </main>
    </>
  )
}

/** An address that somebody mistyped names nothing. */
const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const partsOf = (path: string): string[] => (path.split('?')[0] ?? '').split('/').slice(2).map(decode)

/** Which entry of the navigation an address belongs to. */
const placeOf = (path: string): string => {
  const [place = ''] = partsOf(path)
  if (place === 'agents') return 'market'
  return place === 'c' || place === 'runs' ? '' : place
}

const entries = [
  { place: '', to: '/', name: 'Butler', Icon: ChatIcon },
  { place: 'market', to: '/app/market', name: 'Market', Icon: MarketIcon },
  { place: 'rankings', to: '/app/rankings', name: 'Rankings', Icon: RankIcon },
  { place: 'me', to: '/app/me', name: 'My side', Icon: PersonIcon },
]

const Header = ({ place, token }: { place: string; token: string | undefined }) => {
  return (
    <header class="top">
      <Link to="/" class="brand">
        Agent marketplace
      </Link>
      <nav aria-label="Main">
        {entries.map(({ place: at, to, name, Icon }) => (
          <Link key={at} to={to} current={at === place}>
            <Icon /> {name}
          </Link>
        ))}
      </nav>
      {token && <Balance key={token} />}
      <button type="button" class="round" aria-label="Light or dark" onClick={() => toggleTheme(localStorage)}>
        <SunIcon />
      </button>
    </header>
  )
}

const readAgainMs = 15_000

/** What the user can spend, everywhere in sight. */
const Balance = () => {
  const { value, reload } = useLoaded<Wallet>('/v1/wallets/me', useMoved())
  useEffect(() => {
    const reading = setInterval(() => document.visibilityState === 'visible' && reload(), readAgainMs)
    return () => clearInterval(reading)
  }, [])
  const [first] = value?.balances ?? []
  return (
    <Link to="/app/me" class="purse">
      <span class="unseen">Balance</span> {first ? toUsdc(first.usdc) : '–'} <abbr title="US dollar coin">USDC</abbr>
    </Link>
  )
}

const View = ({ path, token }: { path: string; token: string | undefined }) => {
  const [place, ...rest] = partsOf(path)
  const id = rest.at(-1)
  if (place === 'market') return <MarketView />
  if (place === 'rankings') return <RankingsView />
  if (place === 'agents' && id) return <AgentView key={id} id={id} />
  if (!token) return <Door />
  if (place === 'runs' && id) return <RunView key={id} id={id} />
  if (place === 'c' && id) return <ChatView key={id} id={id} />
  if (place === 'me' && rest[0] === 'agents') return rest[1] ? <MyAgentView key={rest[1]} id={rest[1]} /> : <AgentsView />
  if (place === 'me' && !id) return <MeView />
  return place ? <Nowhere /> : <ChatView id={undefined} />
}

const Nowhere = () => (
  <>
    <Title>Nothing is here</Title>
    <Notice kind="empty">
      <p>This address shows nothing.</p>
      <Link to="/">Go to your butler</Link>
    </Notice>
  </>
)

const Door = () => (
  <div class="door">
    <div>
      <Title>Hire an agent in a sentence</Title>
      <p class="lead">
        Tell your butler what you need. It finds an agent, shows you the price and the terms, and waits for your yes. Your USDC
        stays in escrow until the work has passed its checks, or comes back to you.
      </p>
    </div>
    <SignIn />
  </div>
)

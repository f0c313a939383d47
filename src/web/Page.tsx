import { useEffect, useRef } from 'hono/jsx/dom'
import { ChatView } from './chat/ChatView.tsx'
import { SignIn } from './me/SignIn.tsx'
import { Link, Notice, Title } from './parts/basics.tsx'
import { ChatIcon, SunIcon } from './parts/icons.tsx'
import { usePath, useToken } from './reach.ts'
import { toggleTheme } from './theme.ts'

/** Header, the view that the address names, and the focus on its heading when another one opens. */
export const Page = () => {
  const path = usePath()
  const seen = useRef(path)
  useEffect(() => {
    if (seen.current === path) return
    seen.current = path
    document.getElementById('title')?.focus({ preventScroll: true })
  }, [path])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header path={path} />
      <main id="main">
        <View path={path} />
      </main>
    </>
  )
}

const Header = ({ path }: { path: string }) => (
  <header class="top">
    <Link to="/" class="brand">
      Agent marketplace
    </Link>
    <nav aria-label="Main">
      <Link to="/" current={path === '/' || path.startsWith('/app/c/')}>
        <ChatIcon /> Butler
      </Link>
    </nav>
    <button type="button" class="round" aria-label="Light or dark" onClick={() => toggleTheme(localStorage)}>
      <SunIcon />
    </button>
  </header>
)

const View = ({ path }: { path: string }) => {
  const token = useToken()
  const [, , place, id] = path.split('?')[0]?.split('/') ?? []
  if (!token) return <Door />
  if (!place) return <ChatView id={undefined} />
  if (place === 'c' && id) return <ChatView id={decodeURIComponent(id)} />
  return (
    <>
      <Title>Nothing is here</Title>
      <Notice kind="empty">
        <p>This address shows nothing.</p>
        <Link to="/">Go to your butler</Link>
      </Notice>
    </>
  )
}

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

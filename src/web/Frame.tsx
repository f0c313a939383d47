import type { PropsWithChildren } from 'hono/jsx'
import { useState } from 'hono/jsx/dom'
import type { WalletRecord as Wallet } from '../records/withdrawal.ts'
import { useCounted } from './client/counted.ts'
import { useEffect } from './client/effects.ts'
import { toUsdc } from './client/format.ts'
import { useLoaded, useMoved } from './client/reach.ts'
import { t } from './client/words.ts'
import { Bar } from './parts/Bar.tsx'
import { Button, Link } from './parts/basics.tsx'
import { Mark } from './parts/Face.tsx'
import { ChatIcon, ListIcon, MarketIcon, MoonIcon, PersonIcon, RankIcon, SunIcon } from './parts/icons.tsx'

const entries = [
  { place: '', to: '/', name: 'Butler', Icon: ChatIcon },
  { place: 'market', to: '/app/market', name: 'Market', Icon: MarketIcon },
  { place: 'rankings', to: '/app/rankings', name: 'Rankings', Icon: RankIcon },
  { place: 'me', to: '/app/me', name: 'Account', Icon: PersonIcon },
] as const

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

/** Switches to the other theme and stores it for the next visit: `opening.js` applies it before the first paint. */
const toggleTheme = (storage: Storage): void => {
  const theme = isDark() ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
  storage.setItem('theme', theme)
}

type HeaderProps = {
  place: string
  token: string | undefined
  /** The list of conversations, which small screens show on request. */
  list: { isOpen: boolean; toggle(): void } | undefined
}

/** What stands around every view: the header, the bar for lost lines, and the place of the view. */
export const Frame = ({ isWide, children, ...header }: PropsWithChildren<HeaderProps & { isWide: boolean }>) => (
  <>
    <a class="skip" href="#main">
      {t('Skip to the content')}
    </a>
    <Header {...header} />
    <Bar />
    <main id="main" class={isWide ? undefined : 'page'}>
      {children}
    </main>
  </>
)

const Header = ({ place, token, list }: HeaderProps) => (
  <header class="top">
    <Link to="/" class="brand">
      <Mark />
      <span>Agent marketplace</span>
    </Link>
    <nav class="nav" aria-label={t('Main menu')}>
      {entries.map(({ place: at, to, name, Icon }) => (
        <Link key={at} to={to} current={at === place}>
          <Icon /> {t(name)}
        </Link>
      ))}
    </nav>
    {token && <Balance key={token} />}
    {list && (
      <Button
        class="icon-btn only-phone"
        aria-label={t('Conversations')}
        aria-expanded={list.isOpen ? 'true' : 'false'}
        aria-controls="conversations"
        onClick={list.toggle}
        icon={<ListIcon />}
      />
    )}
    <button
      type="button"
      class={`icon-btn ${list ? 'only-wide' : ''}`}
      aria-label={t('Light or dark')}
      onClick={() => toggleTheme(localStorage)}
    >
      <SunIcon />
      <MoonIcon />
    </button>
  </header>
)

const readAgainMs = 15_000

const Balance = () => {
  const { value, reload } = useLoaded<Wallet>('/v1/wallets/me', useMoved())
  useEffect(() => {
    const reading = setInterval(() => document.visibilityState === 'visible' && reload(), readAgainMs)
    return () => clearInterval(reading)
  }, [])
  const [known, setKnown] = useState<string | undefined>(undefined)
  const usdc = value?.balances[0]?.usdc
  useEffect(() => {
    // The last balance stays visible while it is read again.
    if (usdc !== undefined) setKnown(usdc)
  }, [usdc])
  const shown = useCounted(known)
  return (
    <Link to="/app/me" class="balance">
      <span class="vh">{t('Balance')}</span> {shown === undefined ? '–' : toUsdc(shown)} <small>USDC</small>
    </Link>
  )
}

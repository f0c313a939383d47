import { render } from 'hono/jsx/dom'
import { createApi } from './client/api.ts'
import { createBalanceChanges } from './client/balanceChanges.ts'
import { createLine } from './client/line.ts'
import { ReachProvider } from './client/reach.ts'
import { createRouter } from './client/router.ts'
import { createSession } from './client/session.ts'
import { applyTheme } from './client/theme.ts'
import { Page } from './Page.tsx'

const session = createSession(localStorage)
const line = createLine()
const reach = {
  line,
  session,
  router: createRouter(),
  balanceChanges: createBalanceChanges(),
  drafts: new Map<string, string>(),
  services: new Map(),
  api: createApi({ token: session.token, onExpired: session.signOut, line }),
  rareViews: () => import('./rareViews.ts'),
  local: document.body.dataset.local === 'true',
}
applyTheme(localStorage)

const root = document.getElementById('page')
if (root)
  render(
    <ReachProvider value={reach}>
      <Page />
    </ReachProvider>,
    root,
  )

import { render } from 'hono/jsx/dom'
import { createApi } from './api.ts'
import { Page } from './Page.tsx'
import { ReachProvider } from './reach.ts'
import { createRouter } from './router.ts'
import { createSession } from './session.ts'
import { applyTheme } from './theme.ts'

const session = createSession(localStorage)
const reach = {
  session,
  router: createRouter(),
  api: createApi({ token: session.token, onExpired: session.signOut }),
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

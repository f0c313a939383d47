import { render } from 'hono/jsx/dom'
import { createApi } from './client/api.ts'
import { createBalanceChanges } from './client/balanceChanges.ts'
import { createConversations } from './client/conversations.ts'
import { loadWords } from './client/languages.ts'
import { createLine } from './client/line.ts'
import { atName } from './client/passkeyPlace.ts'
import { ReachProvider, toWords } from './client/reach.ts'
import { noteReturn } from './client/returning.ts'
import { createRouter } from './client/router.ts'
import { createServices } from './client/services.ts'
import { createSession } from './client/session.ts'
import { ownLanguage } from './client/words.ts'
import { Page } from './Page.tsx'
import { chat } from './views.ts'

declare global {
  interface Window {
    /** Set by `opening.js`. */
    opening?: { styled: Promise<unknown>; released(): Promise<unknown> | undefined; end(root: HTMLElement): void }
  }
}

const session = createSession(localStorage)
const line = createLine()
const api = createApi({ token: session.token, onExpired: session.signOut, line })
const reach = {
  line,
  session,
  router: createRouter(),
  balanceChanges: createBalanceChanges(),
  drafts: new Map<string, string>(),
  services: createServices(api),
  api,
  conversations: createConversations({ api, session, storage: localStorage, toWords }),
  local: document.body.dataset.local === 'true',
  mail: document.body.dataset.mail === 'true',
  passkeys: { isKnown: 'PublicKeyCredential' in window, elsewhere: atName(location.href) },
}
noteReturn(session)
// A page in English is better than none.
const words = loadWords(localStorage, navigator.languages).catch(() => undefined)
// The conversation is what a signed-in user sees first, so its scripts are asked for with the first line.
if (session.token()) void words.then(() => chat.load()).catch(() => undefined)

const root = document.getElementById('page')
const draw = () => {
  if (!root) return
  document.documentElement.lang = ownLanguage()
  render(
    <ReachProvider value={reach}>
      <Page />
    </ReachProvider>,
    root,
  )
  window.opening?.end(root)
}
void Promise.all([words, window.opening?.styled])
  .then(() => window.opening?.released())
  .then(draw)

import { withWords } from './client/languages.ts'
import { createLater } from './client/later.ts'
import type { Session } from './client/session.ts'

/** The parts of the page. A visitor loads those that are opened; the first load is the door alone. */
export const chat = createLater(withWords(() => import('./chat/ChatView.tsx')))
export const market = createLater(withWords(() => import('./market/views.ts')))
export const account = createLater(withWords(() => import('./me/MeView.tsx')))
export const provider = createLater(withWords(() => import('./provider/views.ts')))
export const run = createLater(withWords(() => import('./run/RunView.tsx')))
export const shared = createLater(withWords(() => import('./shared/SharedView.tsx')))
export const asked = createLater(withWords(() => import('./approve/views.ts')))

/** Loads the parts that a signed-in user will open, so that they open at once, also on a line that was lost since. */
export const loadRest = (session: Session): void => {
  void import('./client/worker.ts').then(
    it => it.startWorker(session),
    () => undefined,
  )
  for (const part of [market, run, account, provider]) part.load().catch(() => undefined)
}

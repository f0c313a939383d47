import type { Child } from 'hono/jsx'
import { withWords } from './client/languages.ts'
import { createLater, type Later } from './client/later.ts'
import type { Session } from './client/session.ts'
import { Waiting } from './parts/basics.tsx'

/** The parts of the page. A visitor loads those that are opened; the first load is the door alone. */
export const chat = createLater(withWords(() => import('./chat/views.ts')))
export const market = createLater(withWords(() => import('./market/views.ts')))
export const account = createLater(withWords(() => import('./me/views.ts')))
export const provider = createLater(withWords(() => import('./provider/views.ts')))
export const run = createLater(withWords(() => import('./run/views.ts')))
export const shared = createLater(withWords(() => import('./shared/views.ts')))
export const asked = createLater(withWords(() => import('./approve/views.ts')))

/** Loads the parts that a signed-in user will open, so that they open at once, also on a line that was lost since. */
export const loadRest = (session: Session): void => {
  void import('./client/worker.ts').then(
    it => it.startWorker(session),
    () => undefined,
  )
  for (const part of [market, run, account, provider]) part.load().catch(() => undefined)
}

export const Opened = <T,>({ part, children }: { part: Later<T>; children: (views: T) => Child }) => {
  const views = part.use()
  return views ? children(views) : <Waiting />
}

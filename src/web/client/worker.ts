import { forgetKept } from './kept.ts'
import type { Session } from './session.ts'

/** Starts the worker that keeps the page for times without a line. A browser that refuses it has the page as before. */
export const startWorker = (session: Session): void => {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.register('/worker.js', { updateViaCache: 'none' }).catch(() => undefined)
  session.subscribe(() => {
    if (session.token() === undefined) void forgetKept()
  })
}

import type { Session } from './session.ts'

/** Keys of what the first paint depends on. */
const keys = ['session', 'theme', 'language']
const days = 400

/**
 * Tells the service, by a cookie without any other content, that this browser keeps something that the first paint depends on. The
 * page for all others is painted without asking for it.
 */
export const noteReturn = (session: Pick<Session, 'subscribe'>): void => {
  const note = () => {
    const isReturning = keys.some(it => localStorage.getItem(it) !== null)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers, and is asynchronous.
    document.cookie = `returning=1; path=/; samesite=lax; max-age=${isReturning ? days * 24 * 60 * 60 : 0}`
  }
  note()
  session.subscribe(note)
  addEventListener('pagehide', note)
}

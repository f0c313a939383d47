import type { Session } from './session.ts'

/** Starts the worker that keeps the page for times without a line. A browser that refuses it has the page as before. */
export const startWorker = (session: Session): void => {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.register('/worker.js', { updateViaCache: 'none' }).catch(() => undefined)
  session.subscribe(() => {
    if (session.token() === undefined) void forgetKept()
  })
}

/** Deletes what the worker of the page keeps of the user, and ends the notices of this browser. Call after a sign-out. */
const forgetKept = async (): Promise<void> => {
  const names = await caches.keys()
  await Promise.all(names.filter(it => it.startsWith('kept ')).map(it => caches.delete(it)))
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}

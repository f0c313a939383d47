/** Deletes what the worker of the page keeps of the user, and ends the notices of this browser. Call after a sign-out. */
export const forgetKept = async (): Promise<void> => {
  const names = await caches.keys()
  await Promise.all(names.filter(it => it.startsWith('kept ')).map(it => caches.delete(it)))
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}

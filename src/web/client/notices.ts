import { useState } from 'hono/jsx/dom'
import type { NoticesRecord } from '../../records/notice.ts'
import type { Api } from './api.ts'
import { useEffect } from './effects.ts'

/** Whether this browser can be told something while the page is closed. `refused`: its user said no to the browser. */
export type Telling = 'unable' | 'refused' | 'off' | 'on'

const isAble = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const subscriptionHere = async () => {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? undefined
}

export const readTelling = async (): Promise<Telling> => {
  if (!isAble()) return 'unable'
  if (Notification.permission === 'denied') return 'refused'
  return (await subscriptionHere()) ? 'on' : 'off'
}

/** Asks the browser's user, subscribes this browser, and gives the service its address. Throws `Refused` when that fails. */
export const startTelling = async (api: Api): Promise<Telling> => {
  if (!isAble()) return 'unable'
  if ((await Notification.requestPermission()) !== 'granted') return 'refused'
  const { public_key } = await api.get<NoticesRecord>('/v1/notices')
  const { pushManager } = await navigator.serviceWorker.ready
  // A subscription with another key of an earlier service is of no use.
  await (await pushManager.getSubscription())?.unsubscribe()
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: public_key })
    .catch(() => undefined)
  if (!subscription) return 'unable'
  const { endpoint, keys } = subscription.toJSON()
  await api.post('/v1/notices/devices', { endpoint, keys })
  return 'on'
}

/** Ends the notices of this browser. Its push service then tells the service that it left. */
export const stopTelling = async (): Promise<Telling> => {
  await (await subscriptionHere())?.unsubscribe()
  return readTelling()
}

/** Whether this browser is told; undefined until that is known. */
export const useTelling = (): [Telling | undefined, (it: Telling) => void] => {
  const [telling, setTelling] = useState<Telling | undefined>(undefined)
  useEffect(() => void readTelling().then(setTelling, () => setTelling('unable')), [])
  return [telling, setTelling]
}

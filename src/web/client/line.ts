import { createListeners } from './listeners.ts'

/** The part that cannot be reached. `back` is shown for a short time after it is reachable again. */
export type LineState = 'open' | 'offline' | 'away' | 'chain' | 'back'
export type Line = ReturnType<typeof createLine>

/** Pauses in ms before the service is tried again; the last one repeats. */
const pausesMs = [1_000, 2_000, 4_000, 8_000]
const backMs = 3_000
const chainPollMs = 20_000

/** Tracks whether this browser, the service and its chain are reachable, from the results of requests and its own retries. */
export const createLine = () => {
  const { notify, subscribe } = createListeners()
  let state: LineState = navigator.onLine ? 'open' : 'offline'
  let tries = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const become = (next: LineState) => {
    if (next === state) return
    state = next
    notify()
  }
  const again = () => {
    clearTimeout(timer)
    timer = setTimeout(attempt, pausesMs[Math.min(tries++, pausesMs.length - 1)])
  }
  const attempt = () => {
    fetch('/livez').then(found, lost)
  }
  const found = () => {
    if (state === 'open' || state === 'back' || state === 'chain') return
    tries = 0
    clearTimeout(timer)
    become('back')
    timer = setTimeout(() => become('open'), backMs)
  }
  const lost = () => {
    become(navigator.onLine ? 'away' : 'offline')
    again()
  }
  const checkChain = async () => {
    if (document.visibilityState !== 'visible' || (state !== 'open' && state !== 'chain')) return
    const answer = await fetch('/health').catch(() => undefined)
    if (!answer) return
    if (answer.status === 503) become('chain')
    else if (state === 'chain') become('open')
  }
  addEventListener('offline', lost)
  addEventListener('online', attempt)
  document.addEventListener('visibilitychange', () => void checkChain())
  setInterval(() => void checkChain(), chainPollMs)
  return {
    state: () => state,
    found,
    /** Call when a request got no answer. */
    lost,
    attempt,
    subscribe,
  }
}

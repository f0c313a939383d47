import { createListeners } from './listeners.ts'

export type Router = ReturnType<typeof createRouter>

/** Pause in ms after the last scroll event before the place is stored: browsers limit changes of the history. */
const settledMs = 150
/** How long in ms a page may take to become tall enough for its earlier place. */
const patienceMs = 3_000

const placeOf = (state: unknown): number =>
  typeof state === 'object' && state !== null && 'y' in state && typeof state.y === 'number' ? state.y : 0

/** Scrolls back to where the reader was, as soon as the page is tall enough. The reader's own scrolling ends the attempt. */
const returnTo = (y: number): void => {
  const until = Date.now() + patienceMs
  const own = new AbortController()
  for (const type of ['wheel', 'touchmove', 'keydown'])
    addEventListener(type, () => own.abort(), { signal: own.signal, passive: true })
  const attempt = () => {
    if (own.signal.aborted) return
    scrollTo(0, y)
    if (Math.abs(scrollY - y) > 2 && Date.now() < until) requestAnimationFrame(attempt)
    else own.abort()
  }
  requestAnimationFrame(attempt)
}

/** Tracks the path of the address bar and the place in each page, using the History API. */
export const createRouter = () => {
  const { notify, subscribe } = createListeners()
  let isReturning = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const store = () => history.replaceState({ y: scrollY }, '')
  history.scrollRestoration = 'manual'
  addEventListener('scroll', () => {
    clearTimeout(timer)
    timer = setTimeout(store, settledMs)
  })
  addEventListener('popstate', ({ state }) => {
    clearTimeout(timer)
    isReturning = true
    notify()
    returnTo(placeOf(state))
  })
  if (placeOf(history.state) > 0) returnTo(placeOf(history.state))
  return {
    path: () => location.pathname + location.search,
    /** Whether the reader came to this page by Back or Forward. */
    isReturning: () => isReturning,
    go: (path: string, { replace = false } = {}) => {
      if (replace) history.replaceState(history.state, '', path)
      else {
        clearTimeout(timer)
        store()
        isReturning = false
        history.pushState(null, '', path)
        scrollTo(0, 0)
      }
      notify()
    },
    subscribe,
  }
}

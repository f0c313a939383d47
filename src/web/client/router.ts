export type Router = ReturnType<typeof createRouter>

/** Tracks the path of the address bar, using the History API. */
export const createRouter = () => {
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  addEventListener('popstate', notify)
  return {
    path: () => location.pathname + location.search,
    go: (path: string, { replace = false } = {}) => {
      if (replace) history.replaceState(null, '', path)
      else {
        history.pushState(null, '', path)
        scrollTo(0, 0)
      }
      notify()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

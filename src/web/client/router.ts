export type Router = ReturnType<typeof createRouter>

/** Tracks the path of the address bar, using the History API. */
export const createRouter = () => {
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  addEventListener('popstate', tell)
  return {
    path: () => location.pathname + location.search,
    go: (path: string, { replace = false } = {}) => {
      if (replace) history.replaceState(null, '', path)
      else {
        history.pushState(null, '', path)
        scrollTo(0, 0)
      }
      tell()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

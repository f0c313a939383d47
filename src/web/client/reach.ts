import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'hono/jsx/dom'
import type { Api } from './api.ts'
import { Refused } from './api.ts'
import type { Router } from './router.ts'
import type { Session } from './session.ts'

/** What every part of the page may reach. `local`: a demo world, where a demo wallet will do. */
export type Reach = { api: Api; session: Session; router: Router; local: boolean }

const context = createContext<Reach | undefined>(undefined)
export const ReachProvider = context.Provider

export const useReach = (): Reach => {
  const reach = useContext(context)
  if (!reach) throw new Error('Outside of the page.')
  return reach
}

export const usePath = (): string => {
  const { router } = useReach()
  return useSyncExternalStore(router.subscribe, router.path)
}

export const useToken = (): string | undefined => {
  const { session } = useReach()
  return useSyncExternalStore(session.subscribe, session.token)
}

export type Loaded<T> = { value?: T; error?: string; status?: number; reload(): void }

/** What a GET answers, read again whenever its path or version changes; an undefined path reads nothing. What was read stays meanwhile. */
export const useLoaded = <T>(path: string | undefined, version = 0): Loaded<T> => {
  const { api } = useReach()
  const [round, setRound] = useState(0)
  const [state, setState] = useState<{ path?: string; value?: T; error?: string; status?: number }>({})
  useEffect(() => {
    if (path === undefined) return
    const gone = new AbortController()
    api.get<T>(path, gone.signal).then(
      value => setState({ path, value }),
      error => {
        if (!gone.signal.aborted) setState({ path, error: toWords(error), status: error instanceof Refused ? error.status : 0 })
      },
    )
    return () => gone.abort()
  }, [path, version, round])
  const reload = useCallback(() => setRound(it => it + 1), [])
  return { ...(state.path === path ? state : {}), reload }
}

/** A failure in words for people. */
export const toWords = (error: unknown): string => (error instanceof Error ? error.message : 'Something went wrong.')

/** Work that a button starts: whether it runs, and what went wrong last. */
export const useWork = () => {
  const [state, setState] = useState<{ busy: boolean; error?: string }>({ busy: false })
  const run = (work: () => Promise<unknown>): void => {
    setState({ busy: true })
    work().then(
      () => setState({ busy: false }),
      error => setState({ busy: false, error: toWords(error) }),
    )
  }
  return { ...state, run }
}

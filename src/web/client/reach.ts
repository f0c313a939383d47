import type { FC } from 'hono/jsx'
import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'hono/jsx/dom'
import type { Api } from './api.ts'
import { Refused } from './api.ts'
import type { BalanceChanges } from './balanceChanges.ts'
import type { Drafts } from './drafts.ts'
import type { Line } from './line.ts'
import type { Router } from './router.ts'
import type { Session } from './session.ts'
import type { WholeService } from './shapes.ts'

/** Offerings that were loaded, by path. */
export type Services = Map<string, Promise<WholeService>>

/** Views that few visits need. Their scripts are loaded with the first of them. */
export type RareViews = {
  AddMoney: FC<{ address: string; chain: string }>
  ApproveView: FC<{ id: string; path: string }>
  ConnectView: FC<{ path: string }>
  Mandates: FC<{ chainId: number }>
  PasskeyChoices: FC
  Passkeys: FC
  Programs: FC
}

/** The dependencies of all components. `local`: the service runs a demo world, where demo wallets are available. */
export type Reach = {
  api: Api
  line: Line
  session: Session
  router: Router
  balanceChanges: BalanceChanges
  drafts: Drafts
  services: Services
  local: boolean
  rareViews(): Promise<RareViews>
}

const context = createContext<Reach | undefined>(undefined)
export const ReachProvider = context.Provider

/**
 * The services of the page.
 * @throws Error outside of the page
 */
export const useReach = (): Reach => {
  const reach = useContext(context)
  if (!reach) throw new Error('Outside of the page.')
  return reach
}

/** The rare views, once `isWanted` and loaded. */
export const useRareViews = (isWanted = true): RareViews | undefined => {
  const { rareViews } = useReach()
  const [views, setViews] = useState<RareViews>()
  useEffect(() => void (isWanted && rareViews().then(setViews, () => undefined)), [isWanted])
  return views
}

/** The current path; the component renders again when it changes. */
export const usePath = (): string => {
  const { router } = useReach()
  return useSyncExternalStore(router.subscribe, router.path)
}

/** The token of the signed-in user; undefined for a visitor. */
export const useToken = (): string | undefined => {
  const { session } = useReach()
  return useSyncExternalStore(session.subscribe, session.token)
}

/** Returns the number of known movements of the user's money, as a version number for data that depends on it. */
export const useMoved = (): number => {
  const { balanceChanges } = useReach()
  return useSyncExternalStore(balanceChanges.subscribe, balanceChanges.moves)
}

/**
 * Returns an unsent text and its setter. The text is kept when the view changes.
 * @param name key of the field
 */
export const useDraft = (name: string, start = ''): [string, (text: string) => void] => {
  const { drafts, session } = useReach()
  const key = `${session.token()} ${name}`
  const [state, setState] = useState({ key, text: drafts.get(key) ?? start })
  const set = (it: string) => {
    drafts.set(key, it)
    setState({ key, text: it })
  }
  return [state.key === key ? state.text : (drafts.get(key) ?? start), set]
}

export type Loaded<T> = { value?: T; error?: string; status?: number; reload(): void }

/**
 * Loads a GET response, again whenever the path or version changes. The earlier value stays until then; an undefined path loads
 * nothing.
 */
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

/** Returns the path of an offering's record. */
export const servicePath = (agentId: string, offeringId: string): string =>
  `/services/${encodeURIComponent(`${agentId}:${encodeURIComponent(offeringId)}`)}`

/** Loads an offering with its schemas, once per page. It is undefined while it loads, or if it no longer exists. */
export const useService = (agentId: string, offeringId: string): WholeService | undefined => {
  const { api, services } = useReach()
  const path = servicePath(agentId, offeringId)
  const [service, setService] = useState<WholeService | undefined>(undefined)
  useEffect(() => {
    const known = services.get(path) ?? api.get<WholeService>(path)
    services.set(path, known)
    let isHere = true
    known.then(
      it => isHere && setService(it),
      () => services.delete(path),
    )
    return () => {
      isHere = false
    }
  }, [path])
  return service
}

/** Returns an error's message for users. */
export const toWords = (error: unknown): string => (error instanceof Error ? error.message : 'Something went wrong.')

/** Runs the work of a button, and returns whether it is running and its last error. */
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

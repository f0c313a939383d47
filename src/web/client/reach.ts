import { createContext, useCallback, useContext, useRef, useState } from 'hono/jsx/dom'
import type { Api } from './api.ts'
import { Refused } from './api.ts'
import type { BalanceChanges } from './balanceChanges.ts'
import type { Conversations, Known } from './conversations.ts'
import { useEffect, useStore } from './effects.ts'
import type { Line } from './line.ts'
import type { Router } from './router.ts'
import type { ServiceRead, Services } from './services.ts'
import type { Session } from './session.ts'
import type { WholeService } from './shapes.ts'
import { t } from './words.ts'

/** The dependencies of all components. `local`: the service runs a demo world, where demo wallets are available. */
export type Reach = {
  api: Api
  line: Line
  session: Session
  router: Router
  balanceChanges: BalanceChanges
  conversations: Conversations
  /** Unsent texts by user and field. They are lost when the page is closed. */
  drafts: Map<string, string>
  services: Services
  local: boolean
  /** Whether links that sign in are sent by e-mail. */
  mail: boolean
  /** Whether this browser knows passkeys, and the same page where they work if they do not work at this address. */
  passkeys: { isKnown: boolean; elsewhere: string | undefined }
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

export const usePath = (): string => {
  const { router } = useReach()
  return useStore(router.subscribe, router.path)
}

/** The token of the signed-in user; undefined for a visitor. */
export const useToken = (): string | undefined => {
  const { session } = useReach()
  return useStore(session.subscribe, session.token)
}

/** Returns the number of known movements of the user's money, as a version number for data that depends on it. */
export const useMoved = (): number => {
  const { balanceChanges } = useReach()
  return useStore(balanceChanges.subscribe, balanceChanges.moves)
}

/** The user's conversations, kept up to date while the component is shown. */
export const useConversations = (): Known => {
  const { conversations } = useReach()
  return useStore(conversations.subscribe, conversations.known)
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

/** Calls a function when the service answers again after a request that it did not answer. */
const useReturn = (isLost: boolean, act: () => void): void => {
  const { line } = useReach()
  useEffect(() => (isLost ? line.subscribe(() => line.state() === 'back' && act()) : undefined), [isLost])
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
        const failure = { path, error: toWords(error), status: error instanceof Refused ? error.status : 0 }
        // What was read before stays, such as a conversation while the line is away.
        if (!gone.signal.aborted) setState(before => ({ ...(before.path === path && before), ...failure }))
      },
    )
    return () => gone.abort()
  }, [path, version, round])
  const reload = useCallback(() => setRound(it => it + 1), [])
  useReturn(state.status === 0, reload)
  return { ...(state.path === path ? state : {}), reload }
}

export const servicePath = (agentId: string, offeringId: string): string =>
  `/services/${encodeURIComponent(`${agentId}:${encodeURIComponent(offeringId)}`)}`

/** Reads an offering with its schemas, once per page. Nothing is read without an id. */
export const useServiceRead = (agentId: string, offeringId: string): ServiceRead => {
  const { services } = useReach()
  const path = servicePath(agentId, offeringId)
  const [read, setRead] = useState(() => services.known(path))
  useEffect(() => {
    if (!agentId || !offeringId) return
    let isHere = true
    void services.read(path).then(it => isHere && setRead(it))
    return () => {
      isHere = false
    }
  }, [path])
  return read
}

/** The same; undefined while it is read, and if it no longer exists. */
export const useService = (agentId: string, offeringId: string): WholeService | undefined =>
  useServiceRead(agentId, offeringId).service

export const toWords = (error: unknown): string => (error instanceof Error ? error.message : t('Something went wrong.'))

/** Runs the work of a button and then `after`, and returns whether it is running and its last error. */
export const useWork = () => {
  const [state, setState] = useState<{ busy: boolean; error?: string; isLost?: boolean }>({ busy: false })
  // What could not be sent can be sent again, so the message about it is out of date.
  useReturn(state.isLost ?? false, () => setState({ busy: false }))
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const end = (it: typeof state) => isHere.current && setState(it)
  const run = (work: () => Promise<unknown>, after?: () => void): void => {
    setState({ busy: true })
    const done = after ? work().then(after) : work()
    done.then(
      () => end({ busy: false }),
      error => end({ busy: false, error: toWords(error), isLost: error instanceof Refused && error.status === 0 }),
    )
  }
  return { ...state, run }
}

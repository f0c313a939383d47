import { useCallback, useRef, useState } from 'hono/jsx/dom'
import type { ServicesRecord as Services } from '../../records/service.ts'
import { useEffect } from '../client/effects.ts'
import { toWords, useReach } from '../client/reach.ts'
import { type MarketQuery, toServicesPath } from './query.ts'
import type { Shown } from './Tile.tsx'

/** A list of offerings: its pages that were read, and the heights in px with which they were drawn. */
export type List = {
  look: MarketQuery
  pages: Map<number, Shown[]>
  heights: Map<number, number>
  total: number
  tags: Services['tags']
}

/** Lists kept for readers who come back. */
const maxKept = 8
const kept = new Map<string, List>()

const keep = (key: string, list: List): void => {
  kept.delete(key)
  kept.set(key, list)
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
}

const toShown = ({ data }: Services): Shown[] => data.map(it => ({ ...it, agent_name: it.provider }))

type Read = (path: string) => Promise<Services>
/** Reads a page of a list, once. @param at its number, from 0 */
export const readPage = async (read: Read, { look, pages }: List, at: number): Promise<Shown[]> => {
  const page = pages.get(at) ?? toShown(await read(toServicesPath(look, at)))
  pages.set(at, page)
  return page
}

/**
 * The list of offerings of a view without search text, with its first page. A reader who returns gets what was read before.
 * @param look undefined: nothing is read
 */
export const useList = (look: MarketQuery | undefined) => {
  const { api, router } = useReach()
  const key = look && toServicesPath(look, 0)
  const [state, setState] = useState<{ key?: string; list?: List; error?: string }>({})
  const [round, setRound] = useState(0)
  const opened = useRef(false)
  useEffect(() => {
    if (!look || !key) return
    if (!opened.current && !router.isReturning()) kept.delete(key)
    opened.current = true
    const known = kept.get(key)
    if (known) return setState({ key, list: known })
    const gone = new AbortController()
    api.get<Services>(key, gone.signal).then(
      first => {
        const { total, tags } = first
        const list = { look, total, tags, pages: new Map([[0, toShown(first)]]), heights: new Map() }
        keep(key, list)
        setState({ key, list })
      },
      error => gone.signal.aborted || setState(before => ({ ...before, error: toWords(error) })),
    )
    return () => gone.abort()
  }, [key, round])
  const reload = useCallback(() => setRound(it => it + 1), [])
  return { ...(state.key === key || state.error ? state : {}), reload }
}

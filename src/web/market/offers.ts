import { useCallback, useRef, useState } from 'hono/jsx/dom'
import type { ServicesRecord as Services } from '../../records/service.ts'
import { useEffect } from '../client/effects.ts'
import { toWords, useReach } from '../client/reach.ts'
import { type MarketQuery, pageSize, toServicesPath } from './query.ts'
import type { Shown } from './Tile.tsx'

/** What was read of a list of offerings. `read` counts rows of the service: a row that moved between two pages is shown once. */
type Block = { offers: Shown[]; read: number; total: number; tags: Services['tags'] }

/** Many pages at once, for the place to which a reader returns. It is a multiple of `pageSize` below the limit of the service. */
const blockSize = 20 * pageSize
/** Lists kept for readers who come back. */
const maxKept = 8
const kept = new Map<string, Block>()

const keep = (key: string, block: Block): void => {
  kept.delete(key)
  kept.set(key, block)
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
}

const idOf = (it: Shown): string => `${it.agent_id} ${it.offering_id}`

const grown = (block: Block | undefined, { data, total, tags }: Services): Block => {
  const known = new Set(block?.offers.map(idOf))
  const more = data.map(it => ({ ...it, agent_name: it.provider })).filter(it => !known.has(idOf(it)))
  // An empty page is the end, even if offerings were removed since they were counted.
  const read = (block?.read ?? 0) + data.length
  return { offers: [...(block?.offers ?? []), ...more], read, total: data.length === 0 ? read : total, tags }
}

/** The next page to read: a large one if many are wanted. */
const nextAfter = (read: number, wanted: number): { page: number; size: number } => {
  const size = read % blockSize === 0 && wanted - read >= blockSize ? blockSize : pageSize
  return { page: Math.floor(read / size) + 1, size }
}

/**
 * Reads the offerings of a view without search text, page by page, until as many are there as it shows. A reader who returns gets
 * what was read before. @param look undefined: nothing is read
 */
export const useOffers = (look: MarketQuery | undefined) => {
  const { api, router } = useReach()
  const key = look && toServicesPath(look, { page: 1, size: pageSize })
  const [state, setState] = useState<{ key?: string; value?: Block; error?: string }>({})
  const [round, setRound] = useState(0)
  const opened = useRef(false)
  useEffect(() => {
    if (!look || !key) return
    if (!opened.current && !router.isReturning()) kept.delete(key)
    opened.current = true
    const gone = new AbortController()
    const fill = async () => {
      let block = kept.get(key)
      if (block) setState({ key, value: block })
      while (!block || block.read < Math.min(look.shown, block.total)) {
        const next = nextAfter(block?.read ?? 0, look.shown)
        block = grown(block, await api.get<Services>(toServicesPath(look, next), gone.signal))
        keep(key, block)
        setState({ key, value: block })
      }
    }
    fill().catch(error => gone.signal.aborted || setState(before => ({ ...before, error: toWords(error) })))
    return () => gone.abort()
  }, [key, look?.shown, round])
  const reload = useCallback(() => setRound(it => it + 1), [])
  return { ...(state.key === key || state.error ? state : {}), reload }
}

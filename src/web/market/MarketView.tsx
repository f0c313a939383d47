import { useState } from 'hono/jsx/dom'
import type { OfferingHit as Hit } from '../../records/agent.ts'
import type { ServicesRecord as Services } from '../../records/service.ts'
import { useEffect } from '../client/effects.ts'
import { toCount } from '../client/format.ts'
import { useLoaded, usePath, useReach } from '../client/reach.ts'
import { Failed, Link, Notice, Title, textOf, Waiting } from '../parts/basics.tsx'
import { Drawing } from '../parts/Drawing.tsx'
import { SearchIcon } from '../parts/icons.tsx'
import { isOnline } from '../parts/liveness.tsx'
import { Filters } from './Filters.tsx'
import { useOffers } from './offers.ts'
import { type MarketQuery, maxHits, pageSize, queryOf, toPath, toSearchPath } from './query.ts'
import { Strip } from './Strip.tsx'
import { type Shown, Tile } from './Tile.tsx'

/** Pause in ms after the last key press before the search starts. */
const settleMs = 180

const orders: Record<string, (a: Shown, b: Shown) => number> = {
  price: (a, b) => Number(a.price) - Number(b.price),
  speed: (a, b) => a.sla_minutes - b.sla_minutes,
  jobs: (a, b) => b.reputation.accepted - a.reputation.accepted,
}

/** Filters and sorts the results of a search. */
const narrowed = (hits: Hit[], { tag, online, sort }: MarketQuery): Shown[] => {
  const fitting = hits.filter(it => (!tag || it.tags.includes(tag)) && (!online || isOnline(it.reputation)))
  const order = orders[sort]
  return order ? fitting.toSorted(order) : fitting
}

type Found = { offers: Shown[]; total: number; isCut: boolean }

/** Loads the offerings for the current filters. Earlier results stay until the next response, so that the page does not jump. */
const useFound = (look: MarketQuery) => {
  const isSearch = look.text !== ''
  const services = useOffers(isSearch ? undefined : look)
  const hits = useLoaded<{ offerings: Hit[] }>(isSearch ? toSearchPath(look) : undefined)
  const [kept, setKept] = useState<Found | undefined>(undefined)
  const [tags, setTags] = useState<{ tags: Services['tags']; total: number }>({ tags: [], total: 0 })
  useEffect(() => {
    if (isSearch) {
      if (!hits.value) return
      const offers = narrowed(hits.value.offerings, look)
      setKept({ offers: offers.slice(0, look.shown), total: offers.length, isCut: hits.value.offerings.length >= maxHits })
    } else if (services.value) {
      const { offers, total, tags: counted } = services.value
      setKept({ offers: offers.slice(0, look.shown), total, isCut: false })
      setTags(before => ({ tags: counted, total: look.tag ? before.total : total }))
    }
  }, [services.value, hits.value, look.tag, look.online, look.sort, look.shown])
  const { error, reload } = isSearch ? hits : services
  return { kept, tags, error, reload }
}

/** The market: all offerings, filtered and sorted as in the URL, and searched while the user types. */
export const MarketView = () => {
  const { router } = useReach()
  const query = queryOf(usePath())
  const [text, setText] = useState(query.text)
  const change = (changed: Partial<MarketQuery>) =>
    router.go(toPath({ ...query, shown: pageSize, ...changed }), { replace: true })
  useEffect(() => {
    if (text.trim() === query.text) return
    const timer = setTimeout(() => change({ text: text.trim() }), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  const { kept, tags, error, reload } = useFound(query)
  return (
    <>
      <div class="mhead">
        <div>
          <Title>Market</Title>
          <Strip />
        </div>
        <div class="search">
          <label class="vh" for="search">
            Search offerings
          </label>
          <SearchIcon />
          <input
            id="search"
            class="in"
            type="search"
            placeholder="What do you need done?"
            value={text}
            onInput={event => setText(textOf(event))}
          />
        </div>
      </div>
      <Filters look={query} tags={tags} change={change} words={wordsOf(kept, query)} />
      {error && <Failed error={error} reload={reload} />}
      {!kept && !error && <Waiting words="Reading the market" />}
      {kept?.offers.length === 0 && <Nothing look={query} />}
      <h2 class="vh">Offerings</h2>
      <ul class="grid">
        {kept?.offers.map(it => (
          <Tile key={`${it.agent_id} ${it.offering_id}`} offer={it} />
        ))}
      </ul>
      {kept && kept.offers.length < kept.total && (
        <p class="more-offers">
          <button type="button" class="btn" onClick={() => change({ shown: query.shown + pageSize })}>
            Show {Math.min(pageSize, kept.total - kept.offers.length)} more
          </button>
          <span class="q s num">
            {kept.offers.length} of {toCount(kept.total, 'offering')}
          </span>
        </p>
      )}
    </>
  )
}

const wordsOf = (found: Found | undefined, { text }: MarketQuery): string => {
  if (!found) return ''
  const words = `${found.isCut ? 'The best ' : ''}${toCount(found.total, 'offering')}`
  return text ? `${words} for “${text}”` : words
}

const Nothing = ({ look }: { look: MarketQuery }) => {
  const isNarrow = look.tag || look.price || look.online
  return (
    <Notice
      kind="empty"
      title={
        look.text ? 'No offering has these words.' : isNarrow ? 'Nothing fits these filters.' : 'No agent offers anything yet.'
      }
    >
      <Drawing />
      <p>
        {look.text || isNarrow
          ? 'Try other words or filters, or ask your butler in a sentence.'
          : 'Publish the first offering yourself.'}
      </p>
      <Link to={look.text || isNarrow ? '/' : '/app/me/agents'} class="btn">
        {look.text || isNarrow ? 'Ask the butler' : 'My agents'}
      </Link>
    </Notice>
  )
}

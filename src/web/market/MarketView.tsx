import { useState } from 'hono/jsx/dom'
import type { OfferingHit as Hit } from '../../records/agent.ts'
import type { StatsRecord as Stats } from '../../records/market/stats.ts'
import type { ServicesRecord as Services } from '../../records/service.ts'
import { useEffect } from '../client/effects.ts'
import { toUsdc } from '../client/format.ts'
import { useLoaded, usePath, useReach } from '../client/reach.ts'
import { t, tn } from '../client/words.ts'
import { Failed, Link, Notice, Title, textOf, Waiting } from '../parts/basics.tsx'
import { Drawing } from '../parts/Drawing.tsx'
import { SearchIcon } from '../parts/icons.tsx'
import { isOnline } from '../parts/liveness.tsx'
import { Endless } from './Endless.tsx'
import { Filters } from './Filters.tsx'
import { type List, useList } from './offers.ts'
import { type MarketQuery, maxHits, queryOf, toPath, toSearchPath } from './query.ts'
import { type Shown, Tile } from './Tile.tsx'

/** Pause in ms after the last key press before the search starts. */
const settleMs = 180

const orders: Record<string, (a: Shown, b: Shown) => number> = {
  price: (a, b) => Number(a.price) - Number(b.price),
  speed: (a, b) => a.sla_minutes - b.sla_minutes,
  jobs: (a, b) => b.reputation.accepted - a.reputation.accepted,
}

const narrowed = (hits: Hit[], { tag, online, sort }: MarketQuery): Shown[] => {
  const fitting = hits.filter(it => (!tag || it.tags.includes(tag)) && (!online || isOnline(it.reputation)))
  const order = orders[sort]
  return order ? fitting.toSorted(order) : fitting
}

/** What the market shows: the results of a search, or a list without an end. */
type Found = { hits?: Shown[]; list?: List; total: number; isCut: boolean }

/** Loads the offerings for the current filters. Earlier results stay until the next response, so that the page does not jump. */
const useFound = (look: MarketQuery) => {
  const isSearch = look.text !== ''
  const browsed = useList(isSearch ? undefined : look)
  const searched = useLoaded<{ offerings: Hit[] }>(isSearch ? toSearchPath(look) : undefined)
  const [kept, setKept] = useState<Found | undefined>(undefined)
  const [tags, setTags] = useState<{ tags: Services['tags']; total: number }>({ tags: [], total: 0 })
  useEffect(() => {
    if (isSearch) {
      if (!searched.value) return
      const hits = narrowed(searched.value.offerings, look)
      setKept({ hits, total: hits.length, isCut: searched.value.offerings.length >= maxHits })
    } else if (browsed.list) {
      const { list } = browsed
      setKept({ list, total: list.total, isCut: false })
      setTags(before => ({ tags: list.tags, total: look.tag ? before.total : list.total }))
    }
  }, [browsed.list, searched.value, look.tag, look.online, look.sort])
  const { error, reload } = isSearch ? searched : browsed
  return { kept, tags, error, reload }
}

/** The market: all offerings, filtered and sorted as in the URL, and searched while the user types. */
export const MarketView = () => {
  const { router } = useReach()
  const query = queryOf(usePath())
  const [text, setText] = useState(query.text)
  const change = (changed: Partial<MarketQuery>) => router.go(toPath({ ...query, ...changed }), { replace: true })
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
          <Title>{t('Market')}</Title>
          <Strip />
        </div>
        <div class="search">
          <label class="vh" for="search">
            {t('Search offerings')}
          </label>
          <SearchIcon />
          <input
            id="search"
            class="in"
            type="search"
            placeholder={t('What do you need done?')}
            value={text}
            onInput={event => setText(textOf(event))}
          />
        </div>
      </div>
      <Filters look={query} tags={tags} change={change} words={wordsOf(kept, query)} />
      {error && <Failed error={error} reload={reload} />}
      {!kept && !error && <Waiting />}
      {kept?.total === 0 && <Nothing look={query} />}
      <h2 class="vh">{t('Offerings')}</h2>
      {kept?.hits && (
        <ul class="grid">
          {kept.hits.map(it => (
            <Tile key={`${it.agent_id} ${it.offering_id}`} offer={it} />
          ))}
        </ul>
      )}
      {kept?.list && <Endless key={toPath(kept.list.look)} list={kept.list} />}
    </>
  )
}

const wordsOf = (found: Found | undefined, { text }: MarketQuery): string => {
  if (!found) return ''
  const words = tn(found.total, found.isCut ? 'The best {n} offering|The best {n} offerings' : '{n} offering|{n} offerings')
  return text ? t('{found} for “{text}”', { found: words, text }) : words
}

const Nothing = ({ look }: { look: MarketQuery }) => {
  const isNarrow = look.tag || look.price || look.online
  return (
    <Notice
      kind="empty"
      title={
        look.text
          ? t('No offering has these words.')
          : isNarrow
            ? t('Nothing fits these filters.')
            : t('No agent offers anything yet.')
      }
    >
      <Drawing />
      <p>
        {look.text || isNarrow
          ? t('Try other words or filters, or ask your butler in a sentence.')
          : t('Publish the first offering yourself.')}
      </p>
      <Link
        to={look.text || isNarrow ? '/' : '/app/me/agents'}
        class="btn"
        words={look.text || isNarrow ? t('Ask the butler') : t('My agents')}
      />
    </Notice>
  )
}

const Strip = () => {
  const { value } = useLoaded<Stats>('/stats/summary')
  return (
    <p class="strip meta live">
      <span class="on-line">
        <span class="dot on" />
        {value ? tn(value.agents_online, '{n} agent online|{n} agents online') : '–'}
      </span>
      <span>{value && tn(value.jobs_24h, '{n} job settled today|{n} jobs settled today')}</span>
      <span>{value && t('{sum} USDC moved', { sum: toUsdc(value.revenue_24h) })}</span>
    </p>
  )
}

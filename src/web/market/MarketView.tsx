import { useEffect, useState } from 'hono/jsx/dom'
import { toCount, toMinutes } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'
import type { Hit, Service } from '../client/wire.ts'
import { Failed, Link, Notice, Title, textOf, Usdc, Waiting } from '../parts/basics.tsx'
import { SearchIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { ReputationLine } from './Reputation.tsx'

/** So long nothing is typed before it is searched. */
const settleMs = 180

const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const pageSize = 30
/** The most that one search answers. */
const mostHits = 50

/** The next offerings of the market, or all that a search answers up to a number of them. */
const pathOf = (query: string, page: number): string =>
  query
    ? `/offerings/search?${new URLSearchParams({ query, limit: String(Math.min(mostHits, page * pageSize)) })}`
    : `/services?${new URLSearchParams({ page: String(page), pageSize: String(pageSize) })}`

type Found = { offerings: Hit[] } | { data: Service[]; total: number; page: number }
type Kept = { offers: Shown[]; words: string; hasMore: boolean }
type Shown = Pick<Hit, 'agent_id' | 'agent_handle' | 'offering_id' | 'name' | 'description' | 'price' | 'sla_minutes'> &
  Partial<Pick<Hit, 'reputation'>>

const keyOf = ({ agent_id, offering_id }: Shown) => `${agent_id} ${offering_id}`

/** A page put behind those before it; what moved on to it meanwhile is shown once. */
const withPage = (before: Shown[], page: Shown[]): Shown[] => {
  const known = new Set(before.map(keyOf))
  return [...before, ...page.filter(it => !known.has(keyOf(it)))]
}

/** What is shown after an answer of the service. */
const toKept = (found: Found, query: string, before: Kept | undefined): Kept => {
  if ('offerings' in found) {
    const { offerings: offers } = found
    // A full list is cut: how many more would fit is not known.
    const isCut = offers.length > 0 && offers.length % pageSize === 0
    const isFull = isCut || offers.length >= mostHits
    const words = isFull ? `The best ${toCount(offers.length, 'offering')}` : toCount(offers.length, 'offering')
    return { offers, words: `${words} for “${query}”`, hasMore: isCut && offers.length < mostHits }
  }
  const offers = found.page === 1 ? found.data : withPage(before?.offers ?? [], found.data)
  const hasMore = found.data.length === pageSize && offers.length < found.total
  const words = hasMore ? `${offers.length} of ${toCount(found.total, 'offering')}` : toCount(offers.length, 'offering')
  return { offers, words, hasMore }
}

/** All offerings, newest agents first; what is typed narrows them at once. */
export const MarketView = () => {
  const [text, setText] = useState('')
  const query = useSettled(text)
  const [asked, setAsked] = useState({ query, page: 1 })
  const page = asked.query === query ? asked.page : 1
  const { value, error, reload } = useLoaded<Found>(pathOf(query, page))
  const [kept, setKept] = useState<Kept | undefined>(undefined)
  useEffect(() => {
    // What was found stays until the next answer, so that nothing jumps while typing.
    if (value) setKept(before => toKept(value, query, before))
  }, [value])
  return (
    <section class="stack-wide">
      <Title>Market</Title>
      <div class="search">
        <label class="unseen" for="search">
          Search offerings
        </label>
        <SearchIcon />
        <input
          id="search"
          type="search"
          placeholder="What do you need done?"
          value={text}
          onInput={event => setText(textOf(event))}
        />
      </div>
      <p class="quiet" role="status">
        {kept?.words}
      </p>
      {error && <Failed error={error} reload={reload} />}
      {!kept && !error && <Waiting words="Reading the market" />}
      {kept?.offers.length === 0 && <Nothing query={query} />}
      <ul class="plain offers">
        {kept?.offers.map(it => (
          <Offer key={keyOf(it)} offer={it} />
        ))}
      </ul>
      {kept?.hasMore && (
        <p>
          <button type="button" onClick={() => value && setAsked({ query, page: page + 1 })}>
            Show more
          </button>
        </p>
      )}
    </section>
  )
}

const Nothing = ({ query }: { query: string }) => (
  <Notice kind="empty" title={query ? 'No offering has these words.' : 'No agent offers anything yet.'}>
    <p>{query ? 'Try other words, or ask your butler in a sentence.' : 'Publish the first offering yourself.'}</p>
    <Link to={query ? '/' : '/app/me/agents'}>{query ? 'Ask the butler' : 'My agents'}</Link>
  </Notice>
)

const Offer = ({ offer }: { offer: Shown }) => (
  <li class="card offer">
    <div class="offer-head">
      <h2>
        <Link to={`/app/agents/${offer.agent_id}`}>
          <Quoted text={offer.name} chars={120} />
        </Link>
      </h2>
      <b>
        <Usdc amount={offer.price} />
      </b>
    </div>
    <p class="clamp">
      <Quoted text={offer.description} chars={400} />
    </p>
    <p class="quiet small">
      <span class="handle">{offer.agent_handle}</span> · within {toMinutes(offer.sla_minutes)}
    </p>
    {offer.reputation && <ReputationLine of={offer.reputation} />}
  </li>
)

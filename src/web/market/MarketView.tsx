import { useEffect, useState } from 'hono/jsx/dom'
import { toMinutes } from '../client/format.ts'
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

const pathOf = (query: string): string =>
  query ? `/offerings/search?${new URLSearchParams({ query, limit: '30' })}` : '/services?pageSize=30'

type Found = { offerings: Hit[] } | { data: Service[] }
type Shown = Pick<Hit, 'agent_id' | 'agent_handle' | 'offering_id' | 'name' | 'description' | 'price' | 'sla_minutes'> &
  Partial<Pick<Hit, 'reputation'>>

/** All offerings, newest agents first; what is typed narrows them at once. */
export const MarketView = () => {
  const [text, setText] = useState('')
  const query = useSettled(text)
  const { value, error, reload } = useLoaded<Found>(pathOf(query))
  const [kept, setKept] = useState<Shown[] | undefined>(undefined)
  useEffect(() => {
    // What was found stays until the next answer, so that nothing jumps while typing.
    if (value) setKept('offerings' in value ? value.offerings : value.data)
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
        {kept && `${kept.length} ${kept.length === 1 ? 'offering' : 'offerings'}${query ? ` for “${query}”` : ''}`}
      </p>
      {error && <Failed error={error} reload={reload} />}
      {!kept && !error && <Waiting words="Reading the market" />}
      {kept?.length === 0 && <Nothing query={query} />}
      <ul class="plain offers">
        {kept?.map(it => (
          <Offer key={`${it.agent_id} ${it.offering_id}`} offer={it} />
        ))}
      </ul>
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

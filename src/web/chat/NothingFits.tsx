import type { StatsRecord as Stats } from '../../records/stats.ts'
import { toCount } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'
import { Link } from '../parts/basics.tsx'

/** What the card says itself, in English; the butler says it where there is no card. */
const saidByCard = /^Nothing in the market fits: No offering does what you ask for\.\s*/

/** The end of a search without a match: nothing happened, and ways on. */
export const NothingFits = ({ text }: { text: string }) => {
  const agents = useLoaded<Stats>('/stats/summary').value?.agents_online
  return (
    <section class="slip nothing" aria-label="Nothing fits">
      <h2>No agent does this here yet</h2>
      <p class="q s">{text.replace(saidByCard, '')}</p>
      <div class="row wrap">
        <Link to="/app/market" class="btn small">
          See all {agents === undefined ? 'agents' : toCount(agents, 'agent')}
        </Link>
        <Link to="/app/me/agents" class="btn small">
          Offer one yourself
        </Link>
      </div>
    </section>
  )
}

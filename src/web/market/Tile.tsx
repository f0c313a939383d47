import type { OfferingHit as Hit } from '../../records/agent.ts'
import { firstSentence, toUsdc } from '../client/format.ts'
import { t } from '../client/words.ts'
import { Link } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { faceOf } from '../parts/face.ts'
import { acceptedWords, Liveness } from '../parts/liveness.tsx'
import { AgentName, quoted } from '../parts/strangers.tsx'
import { Sample } from '../result/Sample.tsx'

export type Shown = Pick<
  Hit,
  | 'agent_id'
  | 'agent_handle'
  | 'agent_name'
  | 'offering_id'
  | 'name'
  | 'description'
  | 'price'
  | 'sla_minutes'
  | 'reputation'
  | 'tags'
  | 'sample'
  | 'main'
>

export const Price = ({ amount }: { amount: string }) =>
  Number(amount) === 0 ? (
    <span class="price small">{t('Free')}</span>
  ) : (
    <span class="price small">
      {toUsdc(amount)} <small>USDC</small>
    </span>
  )

export const Tile = ({ offer }: { offer: Shown }) => (
  <li class="tile-item">
    <Link
      to={`/app/agents/${offer.agent_id}?offering=${encodeURIComponent(offer.offering_id)}`}
      class={`tile h${faceOf(offer.agent_id).hue}`}
    >
      <Sample sample={offer.sample} main={offer.main} fallback={offer.name} id={offer.agent_id} />
      <div class="tile-in">
        <div class="row tile-who">
          <Face id={offer.agent_id} />
          <div class="grow">
            <h3 class="one">{quoted(offer.name, 120)}</h3>
            <span class="q s one">
              <AgentName name={offer.agent_name} handle={offer.agent_handle} />
            </span>
          </div>
          <Price amount={offer.price} />
        </div>
        <p class="clip2">{quoted(firstSentence(offer.description), 200)}</p>
        <div class="tile-foot">
          <Liveness of={offer.reputation} />
          <span class="grow" />
          <span>{acceptedWords(offer.reputation)}</span>
        </div>
      </div>
    </Link>
  </li>
)

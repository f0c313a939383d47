import type { RunRecord as Run } from '../../records/run.ts'
import { isDelivered } from '../client/purchase.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { Button, Waiting } from '../parts/basics.tsx'
import { AgainIcon } from '../parts/icons.tsx'
import { Purchased } from '../result/Purchased.tsx'
import { usePurchase } from '../run/followPurchase.ts'

type EndProps = { run: Run; events: RunEvent[]; again(): void }

/** The end of a purchase: the answer of the resource, or why there is none. */
export const PurchaseEnd = ({ run, events, again }: EndProps) => {
  const purchase = usePurchase(run)
  if (!purchase || purchase.state === 'paying') return <Waiting />
  return (
    <Purchased purchase={purchase} events={events}>
      {isDelivered(purchase) ? (
        <Button class="link" onClick={again} icon={<AgainIcon />} words={t('Run again')} />
      ) : (
        <Button class="btn main" onClick={again} words={t('Ask for the price again')} />
      )}
    </Purchased>
  )
}

import type { Proposal } from '../../domain/runs/proposal.ts'
import type { PaymentRecord as Payment } from '../../records/payment.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { offeredIn } from '../client/agreed.ts'
import type { Purchase } from '../client/purchase.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { DownloadIcon } from '../parts/icons.tsx'
import { download } from '../parts/strangers.tsx'

type Parts = { run: Run; events: RunEvent[]; payments: Payment[]; agreed: Proposal | undefined; purchase: Purchase | undefined }

const toReceipt = ({ run, events, payments, agreed, purchase }: Parts): string => {
  const transactions = events
    .filter(it => it.type === 'transaction')
    .map(({ timestamp, data: { step, hash, success } }) => ({ timestamp, step, hash, success }))
  const { run_id, task, chain_id, state, job } = run
  const terms = agreed ?? offeredIn(events)
  return JSON.stringify({ run_id, task, chain_id, state, terms, job, purchase, payments, transactions }, undefined, 2)
}

export const Receipt = (parts: Parts) => (
  <Button
    class="btn full-width"
    onClick={() => download({ text: toReceipt(parts), name: `receipt-${parts.run.run_id}.json`, type: 'application/json' })}
    icon={<DownloadIcon />}
    words={t('Receipt')}
  />
)

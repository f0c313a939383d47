import type { Address } from '../../domain/hex.ts'
import type { ActivityKind } from '../../records/market/activity.ts'
import type { Movement, ToldMovement } from './ports.ts'

/** The kinds of postings, by the first and the last part of their keys: `job:<id>:escrow`. */
const ofPosting: Readonly<Record<string, ActivityKind>> = {
  'job escrow': 'hire',
  'job refund': 'refund',
  'job unused': 'refund',
  'job payout': 'earning',
  'x402 purchase': 'payment',
  'x402 payout': 'earning',
  trade: 'trade',
  'token-fee': 'earning',
}

const nobody = `0x${'0'.repeat(40)}`

type Places = { escrow: Address; launchpad?: Address | undefined }

/** What a movement was for. A payer of a paid call of this market is charged by the posting of the sale. */
export const toKind = ({ amount, other, posting, withdrawalId }: ToldMovement, { escrow, launchpad }: Places): ActivityKind => {
  const [rail = '', , step] = (posting ?? '').replace(/:\d+$/, '').split(':')
  const kind = ofPosting[step === undefined ? rail : `${rail} ${step}`] ?? ofPosting[rail]
  if (kind) return kind === 'earning' && amount < 0n ? 'payment' : kind
  if (withdrawalId !== undefined) return 'withdrawal'
  if (other === escrow) return amount < 0n ? 'hire' : 'refund'
  if (other === launchpad) return 'trade'
  if (amount < 0n) return 'transfer'
  return other === nobody ? 'gift' : 'deposit'
}

export const isDeposit = ({ amount, other }: Movement, { escrow, launchpad }: Places): boolean =>
  amount > 0n && ![escrow, launchpad, nobody].includes(other)

import { dayMs } from '../../domain/durations.ts'
import type { ActivityKind, ActivityRecord as Movement } from '../../records/market/activity.ts'
import { toShort } from '../client/format.ts'
import { t, type Words } from '../client/words.ts'

export const weekMs = 7 * dayMs

/** States of a job whose money is held. */
const holding = new Set(['open', 'escrowed', 'queued', 'leased', 'submitted', 'settling', 'rejected', 'expired'])
const returned = new Set(['refunded', 'cancelled'])

export const isHeld = ({ kind, job_state: state }: Movement): boolean => kind === 'hire' && holding.has(state ?? '')
export const isReturned = ({ kind, job_state: state }: Movement): boolean => kind === 'hire' && returned.has(state ?? '')

export const groups: { name: Words; kinds: readonly ActivityKind[] }[] = [
  { name: 'All', kinds: [] },
  { name: 'Hires', kinds: ['hire', 'payment'] },
  { name: 'Money back', kinds: ['refund'] },
  { name: 'Earned', kinds: ['earning'] },
  { name: 'Tokens', kinds: ['trade'] },
  { name: 'In and out', kinds: ['gift', 'deposit', 'withdrawal', 'transfer'] },
]

const names: Record<ActivityKind, Words> = {
  hire: 'A job',
  refund: 'Money back',
  earning: 'Earned',
  payment: 'A paid call',
  trade: 'Tokens',
  withdrawal: 'Withdrawn',
  gift: 'Demo money',
  deposit: 'Received',
  transfer: 'Sent',
}

export const nameOf = (it: Movement): string => {
  if (it.offering_name || it.kind === 'payment') return it.offering_name ?? it.subject?.split('/')[0] ?? t(names.payment)
  if (it.kind === 'trade') return Number(it.amount) < 0 ? t('Tokens bought') : t('Tokens sold')
  if (it.kind === 'withdrawal' || it.kind === 'transfer') return `${t(names[it.kind])} → ${toShort(it.counterparty)}`
  return it.kind === 'deposit' ? `${t(names.deposit)} ← ${toShort(it.counterparty)}` : t(names[it.kind])
}

export const stateOf = (it: Movement): string => {
  if (isHeld(it)) return t('held until the work is checked')
  if (isReturned(it)) return t('came back')
  return it.kind === 'refund' ? t('could not be done') : ''
}

export type Week = { spent: number; jobs: number; back: number; parts: { name: string; amount: number }[] }

const shownParts = 3

/** Sums up the hires of the last seven days, the largest offerings first. What came back is not spent. */
export const weekOf = (rows: Movement[], now: number): Week => {
  const recent = rows.filter(it => Date.parse(it.at) > now - weekMs)
  const paid = recent.filter(it => (it.kind === 'hire' && !isReturned(it)) || it.kind === 'payment')
  const sums = new Map<string, number>()
  for (const it of paid) sums.set(nameOf(it), (sums.get(nameOf(it)) ?? 0) - Number(it.amount))
  const sorted = [...sums].map(([name, amount]) => ({ name, amount })).sort((a, b) => b.amount - a.amount)
  const others = sorted.slice(shownParts).reduce((sum, it) => sum + it.amount, 0)
  return {
    spent: paid.reduce((sum, it) => sum - Number(it.amount), 0),
    jobs: paid.length,
    back: recent.reduce((sum, it) => sum + (it.kind === 'refund' ? Number(it.amount) : 0), 0),
    parts: [...sorted.slice(0, shownParts), ...(others > 0 ? [{ name: t('Others'), amount: others }] : [])],
  }
}

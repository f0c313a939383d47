import { zeroAddress } from 'viem'
import { textOf, unbalancedIn } from '../sim/books.ts'
import { unless } from '../sim/invariants/unless.ts'
import type { Audit } from './audit.ts'
import type { ChainView } from './chainView.ts'
import { isOver, type Ledgers } from './ledgers.ts'
import { dueTransfers, isAmong } from './payments.ts'

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((all, it) => all + it, 0n)

/** I1: no USDC appears or disappears, the ledger agrees with the chain for each wallet, and nothing is left in escrow. */
export const checkMoney = (ledgers: Ledgers, chain: ChainView): Audit => {
  const { all } = ledgers
  const { balances, minted, supply, escrow } = chain
  const outside = movedOutside(ledgers, chain)
  const withdrawn = withdrawnFrom(ledgers)
  const booked = new Map<string, bigint>()
  for (const { account, amount } of all('select account, amount from ledger_entry'))
    booked.set(textOf(account), (booked.get(textOf(account)) ?? 0n) + BigInt(textOf(amount)))

  const wrong = all(`select address from wallet where role in ('user', 'agent')`).flatMap(it => {
    const wallet = textOf(it.address)
    const given = sum(minted.flatMap(mint => (mint.to === wallet ? [mint.value] : [])))
    const expected = given - (withdrawn.get(wallet) ?? 0n) + (outside.get(wallet) ?? 0n) + (booked.get(`wallet:${wallet}`) ?? 0n)
    const missing = expected - sum([...balances].filter(([at]) => at === wallet).map(([, held]) => held))
    return missing === 0n ? [] : [{ wallet, missing }]
  })
  const gone = sum(minted.map(it => it.value)) - sum(balances.values())
  const missing = [...wrong.map(it => it.missing), gone]
  const inEscrow = balances.get(escrow) ?? 0n
  const escrows = [...booked].filter(([account, amount]) => account.startsWith('escrow:') && amount !== 0n)
  return {
    usdcLost: sum(missing.filter(it => it > 0n)),
    usdcCreated: -sum(missing.filter(it => it < 0n)),
    violations: [
      ...unless(gone === 0n && supply === sum(balances.values()), `I1 ${gone} USDC units are nowhere, supply ${supply}`),
      ...unless(inEscrow === 0n, `I1 ${inEscrow} USDC units stay in escrow`),
      ...wrong.map(it => `I1 the wallet ${it.wallet} misses ${it.missing} of what our books say`),
      ...unbalancedIn(ledgers).map(it => `I1 posting ${it} does not add up to zero`),
      ...escrows.map(([account, amount]) => `I1 our account ${account} holds ${amount}`),
    ],
  }
}

/** USDC that others moved without the service, by wallet. A payment that the ledger must have is not among it, whoever sent it. */
const movedOutside = ({ all }: Ledgers, { moved }: ChainView): ReadonlyMap<string, bigint> => {
  const ours = new Set(all('select hash from chain_transaction').map(it => textOf(it.hash)))
  const due = dueTransfers({ all })
  const outside = new Map<string, bigint>()
  const add = (wallet: string, amount: bigint) => outside.set(wallet, (outside.get(wallet) ?? 0n) + amount)
  for (const it of moved) {
    if (ours.has(it.txHash) || it.from === zeroAddress || isAmong(due, it)) continue
    add(it.to, it.value)
    add(it.from, -it.value)
  }
  return outside
}

const withdrawals = `select w.wallet, w.amount from withdrawal w join intent i on i.key = 'withdraw:' || w.id
  where w.asset = 'usdc' and i.state = 'confirmed'`

/** USDC that owners were told to have withdrawn, by wallet. It is in no posting. */
const withdrawnFrom = ({ all }: Ledgers): ReadonlyMap<string, bigint> => {
  const amounts = Map.groupBy(all(withdrawals), it => textOf(it.wallet))
  return new Map([...amounts].map(([wallet, rows]) => [wallet, sum(rows.map(it => BigInt(textOf(it.amount))))]))
}

/** The events on chain that each final state requires. */
const endings: Record<string, string[]> = { settled: ['PaymentReleased'], refunded: ['Refunded'], cancelled: [] }

/** I2 and I3: every run and job has one end, which agrees with the chain. A job is funded once. */
export const checkEnds = ({ all }: Ledgers, { events }: ChainView): string[] => {
  const ends = Map.groupBy(
    events.filter(it => it.name === 'PaymentReleased' || it.name === 'Refunded'),
    it => `${it.chainJobId}`,
  )
  const created = Map.groupBy(
    events.flatMap(it => (it.name === 'JobCreated' ? [it] : [])),
    it => it.jobKey,
  )
  // A paid call has no escrow: its money is checked with the payments.
  const jobs = all(`select id, state, chain_job_id from job where id not in (select job_id from paid_call)`).flatMap(job => {
    const [id, state, onChain] = [textOf(job.id), textOf(job.state), textOf(job.chain_job_id)]
    const told = (ends.get(onChain) ?? []).map(it => it.name)
    if (!isOver(state)) return [`I3 job ${id} is still ${state}`]
    return unless(told.join() === endings[state]?.join(), `I2 job ${id} is ${state}, the chain says ${told.join() || 'nothing'}`)
  })
  const postings = all(
    `select job_id, sum(case when key like '%:reversed' then -1 else 1 end) as n from posting where key like '%:payout%' or key like '%:refund%' group by job_id having n > 1`,
  )
  const runs = all(`select id, state from run where state in ('working', 'awaiting-job') and id not in (select id from purchase)`)
  return [
    ...jobs,
    ...[...ends].filter(([, it]) => it.length > 1).map(([id, it]) => `I2 job ${id} on chain ended ${it.length} times`),
    ...[...created].filter(([, it]) => it.length > 1).map(([key, it]) => `I2 job ${key} was hired ${it.length} times`),
    ...postings.map(it => `I2 job ${it.job_id} is booked as ended ${it.n} times`),
    ...runs.map(it => `I3 run ${it.id} is still ${it.state}`),
  ]
}

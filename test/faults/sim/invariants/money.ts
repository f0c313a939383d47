import { address } from '../../../../src/domain/hex.ts'
import { sumsOf, textOf, unbalancedIn } from '../books.ts'
import { transferKey, transfersOn } from '../chain/payments.ts'
import { places } from '../chain/places.ts'
import type { World } from '../world.ts'
import { chargedForNothing, dueTransfers } from './payments.ts'

/** I1, at every moment: no USDC appears or disappears, and the escrow holds exactly the funding of its open jobs. */
export const checkConserved = ({ ground, books }: World): string[] => {
  const { state, supply } = ground.chain
  const held = [...state.usdc.values()].reduce((sum, it) => sum + it, 0n)
  const escrowed = [...state.jobs.values()].reduce((sum, it) => sum + (isRunning(it.status) ? it.budget : 0n), 0n)
  const inEscrow = state.usdc.get(places.escrow) ?? 0n
  return [
    ...(held === supply() ? [] : [`I1 ${held} USDC on chain, ${supply()} minted`]),
    ...(inEscrow === escrowed ? [] : [`I1 the escrow holds ${inEscrow}, its jobs ${escrowed}`]),
    ...unbalancedIn(books).map(it => `I1 posting ${it} does not add up to zero`),
  ]
}

const isRunning = (status: string) => status === 'funded' || status === 'submitted'

/** An amount in our books and on the chain, which must be equal. */
type Compared = { what: string; ours: bigint; onChain: bigint }

/** I1, when idle: the ledger agrees with the chain for each escrow, each custodial wallet, and each wallet that paid a call. */
export const checkBooks = (world: World): string[] =>
  [...comparedEscrows(world), ...comparedWallets(world), ...comparedPayers(world)].flatMap(({ what, ours, onChain }) =>
    ours === onChain ? [] : [`I1 ${what} holds ${onChain}, our books say ${ours}`],
  )

/** USDC that somebody is told to have and has not, and USDC that nobody was told of, when idle. */
export const differencesOf = (world: World): { lost: bigint; created: bigint } => {
  const missing = [...comparedEscrows(world), ...comparedWallets(world)].map(it => it.ours - it.onChain)
  const charged = chargedForNothing(world).map(it => it.amount)
  return { lost: sum([...missing.filter(it => it > 0n), ...charged]), created: -sum(missing.filter(it => it < 0n)) }
}

const sum = (amounts: bigint[]) => amounts.reduce((all, it) => all + it, 0n)

const comparedEscrows = (world: World): Compared[] => {
  const booked = sumsOf(world.books)
  const funded = fundedByKey(world)
  return world.books.all('select id, state from job').map(({ id, state }) => ({
    what: `the escrow of job ${id} (${state})`,
    ours: booked.get(`escrow:${id}`) ?? 0n,
    onChain: sum((funded.get(textOf(id)) ?? []).map(it => (isRunning(it.status) ? it.budget : 0n))),
  }))
}

const comparedWallets = (world: World): Compared[] => {
  const { withdrawn, usdc } = world.ground.chain.state
  const booked = sumsOf(world.books)
  const moved = movedOutside(world)
  return world.books.all(`select address, role from wallet where role in ('user', 'agent')`).map(it => {
    const wallet = address.parse(it.address)
    const onChain = usdc.get(wallet)
    const given = it.role === 'user' && onChain !== undefined ? startingUsdc : 0n
    const outside = given - (withdrawn.get(wallet) ?? 0n) + (moved.get(wallet) ?? 0n)
    return { what: `the wallet ${wallet}`, ours: outside + (booked.get(`wallet:${wallet}`) ?? 0n), onChain: onChain ?? 0n }
  })
}

/** What payers outside have paid for delivered calls. */
const comparedPayers = (world: World): Compared[] => {
  const booked = sumsOf(world.books)
  const due = dueTransfers(world)
  const paid = transfersOn(world.ground.chain).filter(it => due.has(transferKey(it)))
  return [...new Set(world.log.calls.map(it => it.payer))].map(payer => ({
    what: `the account of payer ${payer}`,
    ours: booked.get(`wallet:${payer}`) ?? 0n,
    onChain: -sum(paid.filter(it => it.from === payer).map(it => it.amount)),
  }))
}

/**
 * USDC that others moved, by wallet: transfers that were signed outside, and pay for nothing that the service has delivered. A payment
 * of a delivered call is in the books, whoever sent it.
 */
const movedOutside = (world: World): ReadonlyMap<string, bigint> => {
  const due = dueTransfers(world)
  const moved = new Map<string, bigint>()
  const add = (wallet: string, amount: bigint) => moved.set(wallet, (moved.get(wallet) ?? 0n) + amount)
  for (const it of transfersOn(world.ground.chain)) {
    if (!it.isForeign || due.has(transferKey(it))) continue
    add(it.to, it.amount)
    add(it.from, -it.amount)
  }
  return moved
}

/** Starting balance of every user in atomic USDC. */
export const startingUsdc = 10_000_000n
/** Starting balance of traders in atomic units of wrapped coin. */
export const startingWrapped = 10n ** 16n

/** On-chain jobs that our wallets funded, by job key. */
export const fundedByKey = ({ ground, books }: World) => {
  const ours = new Set(books.all(`select address from wallet where role = 'user'`).map(it => textOf(it.address)))
  const funded = [...ground.chain.state.jobs.values()].filter(it => it.status !== 'open' && ours.has(it.client))
  return Map.groupBy(funded, it => it.jobKey)
}

/** I2: a job is funded at most once, and paid or refunded at most once, over everything that can move money. */
export const checkSettledOnce = (world: World): string[] => {
  const { books, log } = world
  const twice = [...fundedByKey(world)]
    .filter(([, jobs]) => jobs.length > 1)
    .map(([key, jobs]) => `I2 job ${key} was funded ${jobs.length} times`)
  const ends = books.all(
    `select job_id, count(*) as n from (${unreversed}) where key like '%:payout%' or key like '%:refund%' group by job_id having n > 1`,
  )
  const starts = books.all(
    `select job_id, count(*) as n from (${unreversed}) where key like '%:escrow%' group by job_id having n > 1`,
  )
  // A job may have both a payout and a refund only when the payout was seen reverted, on this branch or on another one. A
  // lagging node may later report the payout as not mined for a while.
  const torn =
    log.reorgs > 0
      ? []
      : books.all(`select r.key from intent r join intent c on c.key = replace(r.key, ':refund', ':complete')
    join intent s on s.key = replace(r.key, ':refund', ':submit')
    where r.key like 'job:%:refund' and c.state <> 'reverted' and s.state <> 'reverted' and not exists (
      select 1 from run_event e join job j on j.run_id = e.run_id where r.key = 'job:' || j.id || ':refund'
      and e.kind = 'transaction' and e.data->>'success' = 0 and e.data->>'step' in ('submit', 'complete'))`)
  return [
    ...twice,
    ...ends.map(it => `I2 job ${it.job_id} was settled ${it.n} times`),
    ...starts.map(it => `I2 job ${it.job_id} was booked into escrow ${it.n} times`),
    ...torn.map(it => `I2 ${it.key} beside a payout that stands`),
  ]
}

/** Postings that were not reversed. */
const unreversed = `select p.key, p.job_id from posting p where p.key not like '%:reversed'
  and not exists (select 1 from posting r where r.key = p.key || ':reversed')`

/** A wallet is topped up once per transaction count. */
export const checkGas = ({ ground, books }: World): string[] => {
  const { chain } = ground
  const given = Map.groupBy(
    chain.blocks
      .flatMap(block => block.txs)
      .filter(it => it.success && it.tx.sender === places.treasury && it.tx.call.data === '0x'),
    it => it.tx.call.to,
  )
  const planned = books.all(
    `select count(*) as n, substr(key, 1, 50) as wallet from intent where key like 'gas:%' group by wallet`,
  )
  const tooOften = [...given].filter(([to, fills]) => to && fills.length > (chain.maxNonces.get(to) ?? 0) + 1)
  return [
    ...tooOften.map(
      ([to, fills]) => `I9 ${to} was given gas money ${fills.length} times for ${to && chain.maxNonces.get(to)} transactions`,
    ),
    ...planned.filter(it => Number(it.n) > 40).map(it => `I9 ${it.n} fillings of ${it.wallet} are planned`),
  ]
}

import { type Books, sumsOf, textOf, unbalancedIn } from '../books.ts'
import { places } from '../chain/places.ts'
import type { World } from '../world.ts'
import { paymentsOfOthers } from './payments.ts'

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

/** I1, when idle: the ledger agrees with the chain for each wallet and each escrow. */
export const checkBooks = (world: World): string[] => {
  const { ground, books } = world
  const { state } = ground.chain
  const booked = sumsOf(books)
  const funded = fundedByKey(world)
  const jobs = books.all('select id, state, budget, agent_wallet from job')
  const wrongEscrow = jobs.flatMap(job => {
    const onChain = (funded.get(textOf(job.id)) ?? []).reduce((sum, it) => sum + (isRunning(it.status) ? it.budget : 0n), 0n)
    const ours = booked.get(`escrow:${job.id}`) ?? 0n
    return ours === onChain ? [] : [`I1 job ${job.id} (${job.state}): ${ours} in our escrow account, ${onChain} on chain`]
  })
  const moved = movedByOthers(world)
  const wallets = books.all(`select address, role from wallet where role in ('user', 'agent')`)
  const wrongWallet = wallets.flatMap(({ address, role }) => {
    const at = addressIn(state.usdc, textOf(address))
    const given = role === 'user' && at !== undefined ? startingUsdc : 0n
    const withdrawn = addressIn(state.withdrawn, textOf(address)) ?? 0n
    const outside = moved.get(textOf(address)) ?? 0n
    const expected = given - withdrawn + outside + (booked.get(`wallet:${address}`) ?? 0n)
    return (at ?? 0n) === expected ? [] : [`I1 wallet ${address} holds ${at ?? 0n}, our books say ${expected}`]
  })
  return [...wrongEscrow, ...wrongWallet]
}

/** Payments that the books must have: those of delivered calls and of purchases. */
const bookedNonces = (books: Books) =>
  new Set(
    books
      .all(`select p.nonce from paid_call p join job j on j.id = p.job_id where j.state = 'settled'
        union select nonce from purchase where state = 'paid'`)
      .map(it => textOf(it.nonce)),
  )

/**
 * USDC that third parties moved, by wallet: a payment that its payer signed can be sent by anyone who saw it. The service books
 * it with the delivery of its call. Without a delivery it is a transfer between others.
 */
const movedByOthers = (world: World): ReadonlyMap<string, bigint> => {
  const known = bookedNonces(world.books)
  const moved = new Map<string, bigint>()
  const add = (wallet: string, amount: bigint) => moved.set(wallet, (moved.get(wallet) ?? 0n) + amount)
  for (const { from, to, amount, nonce } of paymentsOfOthers(world)) {
    if (known.has(nonce)) continue
    add(to, BigInt(amount))
    add(from, -BigInt(amount))
  }
  return moved
}

/** Starting balance of every user in atomic USDC. */
export const startingUsdc = 10_000_000n
/** Starting balance of traders in atomic units of wrapped coin. */
export const startingWrapped = 10n ** 16n

const addressIn = (map: ReadonlyMap<string, bigint>, address: string) => map.get(address)

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

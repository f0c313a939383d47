import { paidCallRecord } from '../../../../src/features/x402Selling/paidCallRecord.ts'
import { readPaidCall } from '../../../../src/features/x402Selling/payForCall.ts'
import { sellerWallet } from '../actors/seller.ts'
import { type BookRow, textOf } from '../books.ts'
import { isMadeBy, type SignedTransfer, transferKey, transfersOn } from '../chain/payments.ts'
import { places } from '../chain/places.ts'
import { fromData } from '../chain/transactions.ts'
import type { Answer, World } from '../world.ts'
import { unless } from './unless.ts'

/**
 * I15, at every moment: a paid call is charged once, one payment buys one call, a purchase pays what was agreed, once, and Permit2 may
 * move only what was agreed.
 */
export const checkPayments = (world: World): string[] => [
  ...checkCalls(world),
  ...checkPurchases(world),
  ...checkApprovals(world),
]

/** A call is charged by the payments for it that the service accepted. A payer may make other transfers, which pay for nothing. */
const checkCalls = (world: World): string[] => {
  const { ground, log, books } = world
  const claimed = new Set(books.all('select payer, nonce, pay_to, amount from paid_call').map(toKey))
  const made = Map.groupBy(transfersOn(ground.chain), it => it.nonce)
  const isCharged = (it: SignedTransfer) =>
    claimed.has(transferKey(it)) && (made.get(it.nonce) ?? []).some(one => isMadeBy(one, it))
  const delivered = new Map<string, string>()
  return log.calls.flatMap(({ payer, payments, runs }) => {
    const charged = payments.filter(isCharged)
    const above = payments.filter(it => (made.get(it.nonce) ?? []).some(one => !one.isForeign && one.amount > it.amount))
    return [
      ...above.map(it => `I17 more than the signed ${it.amount} of the payment ${it.nonce} was taken`),
      // After a reorganisation a payment that was refused before may be accepted.
      ...unless(charged.length <= 1 || log.reorgs > 0, `I15 one call of ${payer} was charged ${charged.length} times`),
      ...[...runs].flatMap(([header, of]) => {
        const before = delivered.get(header)
        delivered.set(header, [...of][0] ?? '')
        return unless(of.size <= 1 && before === undefined, `I15 the payment ${header} bought ${of.size} calls`)
      }),
    ]
  })
}

/** A row that has the terms of a payment, as `transferKey`. */
const toKey = ({ payer, nonce, pay_to, amount }: BookRow) => [payer, pay_to, amount, nonce].join()

/** The payments of custodial wallets to the outside seller, read from the chain. */
const paidOutside = ({ ground }: World) => transfersOn(ground.chain).filter(it => it.to === sellerWallet)

const checkPurchases = (world: World): string[] => {
  const rows =
    world.books.all(`select p.id, p.wallet, p.nonce, p.amount, json_extract(p.requirement, '$.scheme') as scheme, (select count(*) from run_input i where i.run_id = p.id) as yes,
    p.mandate_id from purchase p where p.nonce is not null`)
  const agreed = new Map(rows.map(it => [`${it.wallet},${it.nonce}`, it]))
  return paidOutside(world).flatMap(call => {
    const purchase = agreed.get(`${call.from},${call.nonce}`)
    if (!purchase) return [`I15 ${call.from} paid ${call.amount} to the seller, and no purchase says so`]
    return [
      ...unless(isAgreed(purchase, call.amount), `I15 purchase ${purchase.id} paid ${call.amount}`),
      ...unless(purchase.yes !== 0 || purchase.mandate_id !== null, `I15 purchase ${purchase.id} was paid without a yes`),
    ]
  })
}

/** A purchase pays its price, or in the scheme `upto` at most that. */
const isAgreed = ({ amount, scheme }: BookRow, paid: bigint): boolean =>
  scheme === 'upto' ? paid <= BigInt(textOf(amount)) : String(paid) === amount

const checkApprovals = (world: World): string[] => {
  const rows = world.books.all(`select t.hash, p.wallet, p.amount, p.agreed_at, p.valid_before * 1000 as ends_at from purchase p
    join intent i on i.key = 'purchase:' || p.id || ':approve' left join chain_transaction t on t.intent_seq = i.seq`)
  const agreed = new Map(rows.map(it => [textOf(it.hash), it]))
  /** What could be paid by Permit2 when its user agreed to a purchase. */
  const mostOf = ({ wallet, agreed_at: at }: BookRow) =>
    rows
      .filter(it => it.wallet === wallet && Number(it.ends_at) >= Number(at))
      .reduce((sum, it) => sum + BigInt(textOf(it.amount)), 0n)
  return approvals(world).flatMap(({ hash, amount }) => {
    const purchase = agreed.get(hash)
    const isDue = purchase?.agreed_at && amount >= BigInt(textOf(purchase.amount)) && amount <= mostOf(purchase)
    return unless(isDue === true, `I15 the approval ${hash} of ${amount} for Permit2 belongs to no agreed purchase`)
  })
}

/** Approvals of Permit2 by custodial wallets. */
const approvals = ({ ground, books }: World) => {
  const custodial = new Set(books.all(`select address from wallet where role = 'user'`).map(it => textOf(it.address)))
  return ground.chain.blocks
    .flatMap(block => block.txs)
    .flatMap(({ tx, success }) => {
      const call = success && tx.call.data !== '0x' ? fromData(tx.call.data) : undefined
      if (call?.name !== 'approve' || call.spender !== places.permit2 || !custodial.has(tx.sender)) return []
      return [{ hash: tx.hash, amount: call.amount }]
    })
}

const calls = `select p.id, p.payer, p.nonce, p.pay_to, coalesce(p.taken, p.amount) as amount, j.state,
  exists (select 1 from intent i where i.key = 'x402:' || p.id) as accepted from paid_call p join job j on j.id = p.job_id`

/** Paid calls, each with the transfer on the chain that pays it: from its payer, to its agent, of its amount, with its nonce. */
const callsWithTransfers = ({ books, ground }: World) => {
  const made = new Map(transfersOn(ground.chain).map(it => [transferKey(it), it]))
  return books.all(calls).map(call => ({ call, transfer: made.get(toKey(call)) }))
}

/**
 * Payments of failed calls that the service itself sent, or of work that it had accepted. What a third party sent while the work failed,
 * it cannot return.
 */
export const chargedForNothing = (world: World) =>
  callsWithTransfers(world).flatMap(({ call, transfer }) =>
    call.state === 'refunded' && transfer && (call.accepted === 1 || !transfer.isForeign)
      ? [{ id: textOf(call.id), amount: transfer.amount }]
      : [],
  )

/** The transfers on the chain that pay a delivered call or a purchase which is told as paid: those that the books must have. */
export const dueTransfers = (world: World): ReadonlySet<string> =>
  new Set([
    ...callsWithTransfers(world).flatMap(({ call }) => (call.state === 'settled' ? [toKey(call)] : [])),
    ...world.books
      .all(`select wallet as payer, nonce, pay_to, coalesce(taken, amount) as amount from purchase where state = 'paid'`)
      .map(toKey),
  ])

/** I15, when idle: what is reported as paid was charged, and what is reported as unpaid was not. */
export const checkPaid = (world: World): string[] => {
  const transfers = transfersOn(world.ground.chain)
  const made = new Set(transfers.map(transferKey))
  const purchases = world.books.all(
    `select id, wallet as payer, nonce, pay_to, coalesce(taken, amount) as amount, state,
    json_extract(requirement, '$.scheme') as scheme from purchase where nonce is not null`,
  )
  const isPaid = (it: BookRow) =>
    it.scheme === 'upto' && it.state !== 'paid'
      ? transfers.some(one => one.nonce === it.nonce && one.from === it.payer)
      : made.has(toKey(it))
  return [
    ...callsWithTransfers(world).flatMap(({ call, transfer }) =>
      unless(
        call.state !== 'settled' || transfer !== undefined || call.amount === '0',
        `I15 paid call ${call.id} is settled and was not paid`,
      ),
    ),
    ...chargedForNothing(world).map(({ id }) => `I15 paid call ${id} was charged and not delivered`),
    ...purchases.flatMap(it => [
      ...unless(it.state !== 'paying', `I3 purchase ${it.id} is still paying`),
      ...unless((it.state === 'paid') === isPaid(it), `I15 purchase ${it.id} is ${it.state}, the chain says otherwise`),
    ]),
  ]
}

/** What a payer reads about its calls. */
const told = paidCallRecord.pick({ payment_id: true, state: true, transaction: true, reason: true })

/** I15, when idle: what payers are told about their calls is what the chain did. */
export const checkToldCalls = async (world: World): Promise<string[]> => {
  const wrong: string[] = []
  for (const { call, transfer } of callsWithTransfers(world)) {
    const heard = (answer: Answer) => {
      const { data } = told.safeParse('value' in answer ? answer.value : undefined)
      if (!data) return void wrong.push(`I15 paid call ${call.id} cannot be read: ${JSON.stringify(answer)}`)
      const { state, transaction, reason } = data
      const isFree = call.amount === '0'
      const isNamed = transaction === null ? state !== 'settled' || isFree : transaction === transfer?.hash
      wrong.push(
        ...unless(isNamed, `I15 the receipt of ${call.id} (${state}) names ${transaction}, it was paid by ${transfer?.hash}`),
        ...unless(
          transfer !== undefined || !reason.includes('are in the agent wallet'),
          `I15 paid call ${call.id} is told to be in the agent wallet, and was not paid: ${reason}`,
        ),
      )
    }
    await world.go(world.ask({ operation: readPaidCall, input: { payment_id: textOf(call.id) }, heard }))
  }
  return wrong
}

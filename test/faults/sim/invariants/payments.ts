import { textOf } from '../books.ts'
import { payKey } from '../chain/contracts.ts'
import { places } from '../chain/places.ts'
import { fromData } from '../chain/transactions.ts'
import { sellerWallet } from '../seller.ts'
import type { World } from '../world.ts'
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

const checkCalls = (world: World): string[] => {
  const { ground, log, books } = world
  const claimed = new Set(books.all('select nonce from paid_call').map(it => textOf(it.nonce)))
  // A third party may send a signed payment before the service receives it. The service refuses that payment, so the payer signs
  // another one.
  const unknown = new Set<string>(paymentsOfOthers(world).flatMap(it => (claimed.has(it.nonce) ? [] : [it.nonce])))
  const owners = new Map<string, string>()
  return log.calls.flatMap(({ payer, nonces, runs }) => {
    const charged = nonces.filter(nonce => !unknown.has(nonce) && ground.chain.state.used.has(payKey({ from: payer, nonce })))
    return [
      // After a reorganisation a payment that was refused before may be accepted.
      ...unless(charged.length <= 1 || log.reorgs > 0, `I15 one call of ${payer} was charged ${charged.length} times`),
      ...[...runs].flatMap(([nonce, of]) => {
        const before = owners.get(nonce)
        owners.set(nonce, [...of][0] ?? '')
        return unless(of.size <= 1 && before === undefined, `I15 the payment ${nonce} bought ${of.size} calls`)
      }),
    ]
  })
}

/** The payments of custodial wallets to the outside seller, read from the chain. */
const paidOutside = ({ ground }: World) =>
  ground.chain.blocks
    .flatMap(block => block.txs)
    .flatMap(({ tx, success }) => {
      const call = success && tx.call.data !== '0x' ? fromData(tx.call.data) : undefined
      return call?.name === 'pay' && call.to === sellerWallet ? [call] : []
    })

/** Signed payments that a third party sent. */
export const paymentsOfOthers = ({ ground }: World) =>
  ground.chain.blocks
    .flatMap(block => block.txs)
    .flatMap(({ tx, success }) => {
      const isOthers = success && ground.chain.foreign.has(tx.hash) && tx.call.data !== '0x'
      const call = isOthers ? fromData(tx.call.data) : undefined
      return call?.name === 'pay' ? [call] : []
    })

const checkPurchases = (world: World): string[] => {
  const rows =
    world.books.all(`select p.id, p.wallet, p.nonce, p.amount, (select count(*) from run_input i where i.run_id = p.id) as yes,
    p.mandate_id from purchase p where p.nonce is not null`)
  const agreed = new Map(rows.map(it => [payKey({ from: textOf(it.wallet), nonce: textOf(it.nonce) }), it]))
  return paidOutside(world).flatMap(call => {
    const purchase = agreed.get(payKey(call))
    if (!purchase) return [`I15 ${call.from} paid ${call.amount} to the seller, and no purchase says so`]
    return [
      ...unless(String(call.amount) === purchase.amount, `I15 purchase ${purchase.id} paid ${call.amount}`),
      ...unless(purchase.yes !== 0 || purchase.mandate_id !== null, `I15 purchase ${purchase.id} was paid without a yes`),
    ]
  })
}

const checkApprovals = (world: World): string[] => {
  const rows = world.books.all(`select t.hash, p.amount, p.agreed_at from purchase p
    join intent i on i.key = 'purchase:' || p.id || ':approve' join chain_transaction t on t.intent_seq = i.seq`)
  const agreed = new Map(rows.map(it => [textOf(it.hash), it]))
  return approvals(world).flatMap(({ hash, amount }) => {
    const purchase = agreed.get(hash)
    const isAgreed = purchase?.amount === String(amount) && purchase.agreed_at !== null
    return unless(isAgreed, `I15 the approval ${hash} of ${amount} for Permit2 belongs to no agreed purchase`)
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

/** I15, when idle: what is reported as paid was charged, and what is reported as unpaid was not. */
export const checkPaid = (world: World): string[] => {
  const { books, ground, log } = world
  const used = (from: unknown, nonce: unknown) =>
    ground.chain.state.used.has(payKey({ from: String(from), nonce: String(nonce) }))
  const calls = books.all(`select p.id, p.payer, p.nonce, j.state, i.state as sent from paid_call p join job j on j.id = p.job_id
    left join intent i on i.key = 'x402:' || p.id`)
  const purchases = books.all('select id, wallet, nonce, state from purchase where nonce is not null')
  const others = new Set<string>(paymentsOfOthers(world).map(it => it.nonce))
  return [
    ...calls.flatMap(it => [
      ...unless(it.state !== 'settled' || used(it.payer, it.nonce), `I15 paid call ${it.id} is settled and was not paid`),
      // A transfer that a third party sent during failed work cannot be returned by the service.
      ...unless(
        it.state !== 'refunded' || !used(it.payer, it.nonce) || others.has(textOf(it.nonce)) || log.reorgs > 0,
        `I15 paid call ${it.id} was charged and not delivered`,
      ),
    ]),
    ...purchases.flatMap(it => [
      ...unless(it.state !== 'paying', `I3 purchase ${it.id} is still paying`),
      ...unless(
        (it.state === 'paid') === used(it.wallet, it.nonce),
        `I15 purchase ${it.id} is ${it.state}, the chain says otherwise`,
      ),
    ]),
  ]
}

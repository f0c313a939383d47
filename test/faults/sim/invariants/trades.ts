import { address } from '../../../../src/domain/hex.ts'
import { tokenSupply } from '../../../../src/domain/tokens/tokenCurve.ts'
import { listTrades } from '../../../../src/features/tokens/tradeToken.ts'
import type { ReserveKind } from '../../../../src/ports.ts'
import type { User } from '../actors/talks.ts'
import { sumsOf, textOf } from '../books.ts'
import { holding } from '../chain/launchpad.ts'
import { purchaseNonceOf } from '../chain/launchpadPort.ts'
import { places, simulatedChainId } from '../chain/places.ts'
import { fromData } from '../chain/transactions.ts'
import type { Answer, World } from '../world.ts'
import { unless } from './unless.ts'

const orders = `select o.id, o."user", o.wallet, o.token, o.side, o.asset, o.digest, o.amount_in, o.least_out, o.agreed_at,
  (select state from intent where key = 'trade:' || o.id) as sending from trade_order o`

/** Trades on chain, by anyone. */
const tradesOnChain = ({ ground }: World) =>
  ground.chain.blocks
    .flatMap(block => block.txs)
    .flatMap(({ tx, success }) => {
      const call = success && tx.call.data !== '0x' ? fromData(tx.call.data) : undefined
      switch (call?.name) {
        case 'buy':
        case 'buyApproved':
        case 'buyWithCoin':
          return { hash: tx.hash, sender: tx.sender, side: 'buy', call }
        case 'sell':
        case 'sellForCoin':
          return { hash: tx.hash, sender: tx.sender, side: 'sell', call }
        default:
          return []
      }
    })

/** Trades on chain by the order that they belong to. A purchase that somebody else sent is known by its nonce. */
const tradesByOrder = (world: World) => {
  const sent = world.books.all(`select t.hash, i.key from chain_transaction t join intent i on i.seq = t.intent_seq
    where i.key like 'trade:%'`)
  const orderOfHash = new Map(sent.map(it => [textOf(it.hash), textOf(it.key).split(':')[1]]))
  const orderOfNonce = new Map<string, unknown>(
    world.books.all('select id, digest from trade_order').map(it => [purchaseNonceOf(textOf(it.id), textOf(it.digest)), it.id]),
  )
  return Map.groupBy(tradesOnChain(world), ({ hash, call }) =>
    String(orderOfHash.get(hash) ?? (call.name === 'buy' ? orderOfNonce.get(call.nonce) : undefined) ?? ''),
  )
}

/** I16, at every moment: a custodial wallet trades only what its user agreed to, each trade once, and the curves are covered. */
export const checkTrades = (world: World): string[] => {
  const { books, log } = world
  const made = tradesByOrder(world)
  const custodial = new Set(books.all(`select address from wallet where role = 'user'`).map(it => textOf(it.address)))
  const strangers = (made.get('') ?? []).filter(({ sender, call }) => custodial.has(call.name === 'buy' ? call.buyer : sender))
  return [
    ...strangers.map(it => `I16 the trade ${it.hash} of a custodial wallet belongs to no order`),
    ...books.all(orders).flatMap(order => {
      const own = made.get(textOf(order.id)) ?? []
      const isOther = own.some(({ call, side }) => {
        const isCoin = call.name === 'buyWithCoin' || call.name === 'sellForCoin'
        const terms = [side, call.token, call.amountIn, call.leastOut, isCoin]
        return terms.join() !== [order.side, order.token, order.amount_in, order.least_out, order.asset === 'coin'].join()
      })
      const isAgreed = order.agreed_at !== null && log.trades.get(textOf(order.digest))?.isAgreed === true
      return [
        ...unless(own.length <= 1, `I16 trade ${order.id} was made ${own.length} times`),
        ...unless(own.length === 0 || isAgreed, `I6 trade ${order.id} was made without a yes`),
        ...unless(!isOther, `I16 trade ${order.id} was made on other terms`),
      ]
    }),
    ...checkCurves(world),
  ]
}

/** The launchpad has exactly what its curves hold, and every token is somewhere. */
const checkCurves = ({ ground }: World): string[] => {
  const { curves, tokens } = ground.chain.state
  return [...curves].flatMap(([token, { held }]) => {
    const outside = [...tokens].filter(([of]) => of.startsWith(`${token}/`)).reduce((sum, [, it]) => sum + it, 0n)
    return unless(held + outside === tokenSupply, `I16 ${held + outside} units of ${token} exist`)
  })
}

/** I16, when idle: the ledger agrees with the chain for each curve, its fees, and each holder of tokens, to the unit. */
export const checkTokenBooks = (world: World): string[] => {
  const { ground, books } = world
  const { curves, tokens, usdc, givenWrapped } = ground.chain.state
  const booked = sumsOf(books)
  const differs = (account: string, onChain: bigint) => {
    const ours = booked.get(account) ?? 0n
    return unless(ours === onChain, `I16 our account ${account} has ${ours}, the chain ${onChain}`)
  }
  const owedIn = (kind: ReserveKind) =>
    [...curves.values()].reduce((sum, it) => (it.reserveKind === kind ? sum + it.reserve + it.fees : sum), 0n)
  const prefixOf = (kind: ReserveKind) => (kind === 'usdc' ? '' : `${places.wrappedCoin}/`)
  const atLaunchpad = holding(places.wrappedCoin, places.launchpad)
  /** Wrapped coin that a wallet had before its trades is not booked. */
  const movedOf = (of: string) => {
    const given = of.startsWith(places.wrappedCoin) ? givenWrapped.get(address.parse(of.split('/')[1])) : undefined
    return (tokens.get(of) ?? 0n) - (given ?? 0n)
  }
  const stored = books.all('select token from token').map(it => textOf(it.token))
  const holders = [...booked.keys()].filter(it => /^0x[0-9a-f]{40}\/wallet:/.test(it))
  return [
    ...unless(
      stored.toSorted().join() === [...curves.keys()].toSorted().join(),
      `I16 the tokens ${stored.join()} are stored, ${[...curves.keys()].join()} exist`,
    ),
    ...[...curves].flatMap(([token, it]) => [
      ...differs(`${prefixOf(it.reserveKind)}curve:${token}`, it.reserve),
      ...differs(`${prefixOf(it.reserveKind)}token-fees:${token}`, it.fees),
      ...differs(`${token}/curve`, it.held - tokenSupply),
    ]),
    ...[...new Set([...holders, ...[...tokens.keys()].map(it => it.replace('/', '/wallet:'))])]
      .filter(account => account.replace('/wallet:', '/') !== atLaunchpad)
      .flatMap(account => differs(account, movedOf(account.replace('/wallet:', '/')))),
    ...differs(`platform-fees:${simulatedChainId}`, (usdc.get(places.launchpad) ?? 0n) - owedIn('usdc')),
    ...differs(`${prefixOf('wrapped')}platform-fees:${simulatedChainId}`, (tokens.get(atLaunchpad) ?? 0n) - owedIn('wrapped')),
    ...checkCoin(world, booked),
    ...checkOrders(world),
  ]
}

/** The ledger has the coin that was paid for tokens and received for them. */
const checkCoin = ({ ground }: World, booked: ReadonlyMap<string, bigint>): string[] => {
  const moved = new Map<string, bigint>()
  for (const { tx, success, tokenEvents } of ground.chain.blocks.flatMap(block => block.txs)) {
    const call = success && tx.call.data !== '0x' ? fromData(tx.call.data) : undefined
    if (call?.name !== 'buyWithCoin' && call?.name !== 'sellForCoin') continue
    const account = `coin/wallet:${tx.sender}`
    const traded = tokenEvents.reduce((sum, it) => (it.name === 'bought' || it.name === 'sold' ? sum + it.amount : sum), 0n)
    moved.set(account, (moved.get(account) ?? 0n) + (call.name === 'sellForCoin' ? traded : -traded))
  }
  const accounts = new Set([...moved.keys(), ...[...booked.keys()].filter(it => it.startsWith('coin/wallet:'))])
  return [...accounts].flatMap(account => {
    const [ours, onChain] = [booked.get(account) ?? 0n, moved.get(account) ?? 0n]
    return unless(ours === onChain, `I16 our account ${account} has ${ours}, the chain ${onChain}`)
  })
}

/** I16, when idle: each agreed trade has one end, which is that of its transaction. */
const checkOrders = (world: World): string[] => {
  const made = tradesByOrder(world)
  return world.books.all(orders).flatMap(order => {
    const isMade = (made.get(textOf(order.id)) ?? []).length === 1
    const { id, sending } = order
    // Somebody else may have sent the purchase, so our own transaction was refused.
    const isOdd = isMade ? sending === 'reverted' && (order.side === 'sell' || order.asset !== 'usdc') : sending === 'confirmed'
    return [
      ...unless(sending !== 'waiting' && sending !== 'sent', `I3 trade ${id} is still ${sending}`),
      ...unless(!isOdd, `I16 trade ${id} is ${sending}, the chain says otherwise`),
    ]
  })
}

/** I16, when idle: what users are told about their trades is what the chain did. */
export const checkToldTrades = async (world: World, users: User[]): Promise<string[]> => {
  const told: string[] = []
  for (const { wallet } of users) {
    const heard = (answer: Answer) => {
      if (!('value' in answer)) return void told.push(`I16 ${wallet} cannot read its trades: ${JSON.stringify(answer)}`)
      const made = tradesByOrder(world)
      for (const { trade_id, status, received } of listTrades.output.parse(answer.value).trades) {
        const isMade = (made.get(trade_id) ?? []).length > 0
        told.push(
          ...unless((status === 'done') === isMade, `I16 trade ${trade_id} is told as ${status}, the chain says otherwise`),
          ...unless(status !== 'pending', `I3 trade ${trade_id} is told as pending`),
          ...unless((received !== null) === isMade, `I16 trade ${trade_id} is told to have brought ${received}`),
        )
      }
    }
    await world.go(world.ask({ operation: listTrades, input: {}, wallet, heard }))
  }
  return told
}

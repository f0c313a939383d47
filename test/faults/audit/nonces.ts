import { textOf } from '../sim/books.ts'
import type { ChainView } from './chainView.ts'
import type { Ledgers } from './ledgers.ts'

/**
 * I9: every transaction of our wallets was stored before it was sent. Their nonces have no gap and no duplicate, and all are
 * used.
 */
export const checkNonces = async ({ all }: Ledgers, { transactions, counts }: ChainView): Promise<string[]> => {
  const known = new Set(all('select hash from chain_transaction').map(it => textOf(it.hash)))
  const wallets = all(`select address from wallet where role <> 'deployer'`).map(it => textOf(it.address))
  const ours = new Set(wallets)
  const unknown = transactions.filter(it => ours.has(it.from) && !known.has(it.hash))
  const sent = all(`select sender, count(distinct nonce) as n, max(nonce) + 1 as next, count(distinct intent_seq) as intents
    from chain_transaction where retired = 0 group by sender`)
  const next = new Map(sent.map(it => [textOf(it.sender), Number(it.next)]))
  return [
    ...unknown.map(it => `I9 ${it.hash} of ${it.from} is on chain and not in our books`),
    ...sent
      .filter(it => it.n !== it.next || it.intents !== it.n)
      .map(it => `I9 the nonces of ${it.sender}: ${it.n} for ${it.intents} intents, the next is ${it.next}`),
    ...(await counts(wallets))
      .filter(([wallet, count]) => count !== (next.get(wallet) ?? 0))
      .map(([wallet, count]) => `I9 the chain knows ${count} nonces of ${wallet}, our books ${next.get(wallet) ?? 0}`),
  ]
}

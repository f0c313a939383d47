import { address } from '../../../src/domain/hex.ts'
import { tokenSupply } from '../../../src/domain/tokens/tokenCurve.ts'
import { sumsOf, textOf } from '../sim/books.ts'
import { unless } from '../sim/invariants/unless.ts'
import type { ChainView } from './chainView.ts'
import type { Ledgers } from './ledgers.ts'

const orders = `select o.id, i.state, (select count(*) from token_trade t where t.tx_hash = i.hash) as trades
  from trade_order o left join intent i on i.key = 'trade:' || o.id where o.agreed_at is not null`

/** I16: an agreed trade was made once or refused, and the ledger agrees with each curve and each wallet, to the unit. */
export const checkTrades = async (ledgers: Ledgers, { launchpad }: Pick<ChainView, 'launchpad'>): Promise<string[]> => {
  if (!launchpad) return []
  const booked = sumsOf(ledgers)
  const differs = (account: string, onChain: bigint) => {
    const ours = booked.get(account) ?? 0n
    return unless(ours === onChain, `I16 our account ${account} has ${ours}, the chain ${onChain}`)
  }
  const wallets = ledgers.all(`select address from wallet where role in ('user', 'agent')`).map(it => address.parse(it.address))
  const tokens = ledgers.all(`select token from token where reserve_kind = 'usdc'`).map(it => address.parse(it.token))
  const curves = tokens.map(async token => {
    const { reserve, held, fees } = await launchpad.curve(token)
    const holders = wallets.map(async it => differs(`${token}/wallet:${it}`, await launchpad.balance(token, it)))
    return [
      ...differs(`curve:${token}`, reserve),
      ...differs(`token-fees:${token}`, fees),
      ...differs(`${token}/curve`, held - tokenSupply),
      ...(await Promise.all(holders)).flat(),
    ]
  })
  return [
    ...(await Promise.all(curves)).flat(),
    ...ledgers
      .all(orders)
      .flatMap(({ id, state, trades }) => [
        ...unless(state !== 'waiting' && state !== 'sent', `I3 trade ${id} is still ${textOf(state)}`),
        ...unless(
          trades === (state === 'confirmed' ? 1 : 0),
          `I16 trade ${id} is ${textOf(state)}, and was read ${trades} times`,
        ),
      ]),
  ]
}

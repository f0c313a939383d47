import { useState } from 'hono/jsx/dom'
import type {
  TokenRecord as AgentToken,
  HoldingsRecord,
  QuoteRecord as TokenQuote,
  TradeRecord as TokenTrade,
} from '../../records/token.ts'
import { toAbout, toCountdown, toThreeDigits } from '../client/format.ts'
import { useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Notice, textOf, useNow } from '../parts/basics.tsx'
import { Filled } from '../parts/Filled.tsx'
import { Segments } from './Segments.tsx'

type Holding = HoldingsRecord['holdings'][number]
type Side = 'buy' | 'sell'

type SlipProps = { token: AgentToken; held: Holding | undefined; onTraded(): void }

/** Asks for a quote, shows its terms, and trades once the user accepts them. @param held what the user can sell */
export const TokenSlip = ({ token, held, onTraded }: SlipProps) => {
  const { api } = useReach()
  const work = useWork()
  const [side, setSide] = useState<Side>('buy')
  const [amount, setAmount] = useState('')
  const [quote, setQuote] = useState<TokenQuote | undefined>(undefined)
  const [done, setDone] = useState<TokenTrade | undefined>(undefined)
  const path = `/tokens/${token.token}`
  const ask = (event: Event) => {
    event.preventDefault()
    setDone(undefined)
    work.run(async () => {
      setQuote(await api.post<TokenQuote>(`${path}/quotes`, { side, amount: amount.trim(), chain_id: token.chain_id }))
    })
  }
  const accept = ({ digest, chain_id }: TokenQuote) =>
    work.run(async () => {
      setDone(await api.post<TokenTrade>(`${path}/trades`, { digest, chain_id }))
      setQuote(undefined)
      onTraded()
    })
  const turn = (to: Side) => {
    setSide(to)
    setQuote(undefined)
  }
  const paid = side === 'buy' ? token.reserve_asset : token.symbol
  return (
    <div class="token-slip">
      <Segments
        class="seg halves"
        name={t('Buy or sell')}
        all={['buy', 'sell']}
        chosen={side}
        choose={turn}
        wordsOf={it => t(it === 'buy' ? 'Buy' : 'Sell')}
      />
      {held && <Held of={held} symbol={token.symbol} sellAll={side === 'sell' ? () => setAmount(held.balance) : undefined} />}
      <form class="row wd" onSubmit={ask} aria-label={t('Token trade')}>
        <label class="field grow">
          <span>{t('Amount in {asset}', { asset: paid })}</span>
          <input
            id="token-amount"
            class="in num"
            inputmode="decimal"
            value={amount}
            onInput={(event: Event) => {
              setAmount(textOf(event))
              setQuote(undefined)
            }}
          />
        </label>
        <Button type="submit" class="btn" disabled={work.busy || amount.trim() === ''} words={t('See the terms')} />
      </form>
      {quote && <Terms quote={quote} busy={work.busy} yes={() => accept(quote)} no={() => setQuote(undefined)} />}
      {done && <Ended trade={done} />}
      {work.error && <Notice kind="error">{work.error}</Notice>}
    </div>
  )
}

type HeldProps = { of: Holding; symbol: string; sellAll: (() => void) | undefined }

const Held = ({ of, symbol, sellAll }: HeldProps) => (
  <p class="s">
    <Filled
      words={t('You hold {amount} {symbol}. A sale of all would bring {sum} {asset}.')}
      of={{ amount: <Amount of={of.balance} isToken />, symbol, sum: <Amount of={of.sells_for} />, asset: of.asset }}
    />{' '}
    {sellAll && <Button class="link" onClick={sellAll} words={t('Sell all')} />}
  </p>
)

type TermsProps = { quote: TokenQuote; busy: boolean; yes(): void; no(): void }

const Terms = ({ quote, busy, yes, no }: TermsProps) => {
  const isBuying = quote.side === 'buy'
  const [paid, got] = isBuying ? [quote.asset, quote.symbol] : [quote.symbol, quote.asset]
  const now = useNow()
  return (
    <section class="card" aria-label={t('Terms of the trade')}>
      <p>
        <Filled
          words={isBuying ? t('You pay {paid} and get about {got}.') : t('You sell {paid} and get about {got}.')}
          of={{ paid: withUnit(quote.amount_in, paid, !isBuying), got: withUnit(quote.expected_out, got, isBuying) }}
        />
      </p>
      <p class="q s">
        <Filled
          words={t('At least {least}, or nothing is traded. Fee {fee}, included. These terms hold for {time}.')}
          of={{
            least: withUnit(quote.least_out, got, isBuying),
            fee: withUnit(quote.fee, quote.asset, false),
            time: <span class="num">{toCountdown(Date.parse(quote.deadline) - now)}</span>,
          }}
        />
      </p>
      <div class="row">
        <Button
          class="btn main"
          disabled={busy}
          onClick={yes}
          words={isBuying ? t('Buy on these terms') : t('Sell on these terms')}
        />
        <Button class="btn" disabled={busy} onClick={no} words={t('No')} />
      </div>
    </section>
  )
}

const withUnit = (amount: string, unit: string, isToken: boolean) => (
  <>
    <Amount of={amount} isToken={isToken} /> {unit}
  </>
)

/** An amount that a reader can take in; its exact digits are its title. */
const Amount = ({ of, isToken = false }: { of: string; isToken?: boolean }) => (
  <b class="num" title={of}>
    {isToken ? toThreeDigits(of) : toAbout(of)}
  </b>
)

const Ended = ({ trade }: { trade: TokenTrade }) => {
  if (trade.status === 'failed') return <Notice kind="error">{trade.reason}</Notice>
  const got = trade.side === 'buy' ? trade.symbol : trade.asset
  return (
    <p class="s" role="status">
      {trade.received === null ? (
        t('The trade is on its way.')
      ) : (
        <Filled words={t('You received {amount}.')} of={{ amount: withUnit(trade.received, got, trade.side === 'buy') }} />
      )}
    </p>
  )
}

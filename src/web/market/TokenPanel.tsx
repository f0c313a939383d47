import { useState } from 'hono/jsx/dom'
import type { TokenRecord as AgentToken, CandleRecord as Candle, HoldingsRecord } from '../../records/token.ts'
import { toAbout, toShort, toThreeDigits } from '../client/format.ts'
import { useLoaded, useToken } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Failed } from '../parts/basics.tsx'
import { Candles, toPrice } from './Candles.tsx'
import { Segments } from './Segments.tsx'
import { TokenSlip } from './TokenSlip.tsx'

/** The periods that the price is drawn for: the width of a bar, and the number of bars. */
const periods = {
  day: { name: 'Day', span: '15m', limit: 96, changed: '{change} % in a day' },
  week: { name: 'Week', span: '1h', limit: 168, changed: '{change} % in a week' },
  month: { name: 'Month', span: '1d', limit: 31, changed: '{change} % in a month' },
} as const
type Period = keyof typeof periods

/** An agent's token: price, supply and a slip to trade it. Nothing is shown for an agent without a token. */
export const TokenPanel = ({ agentId, chainId }: { agentId: string; chainId: number }) => {
  const [version, setVersion] = useState(0)
  const found = useLoaded<{ tokens: AgentToken[] }>(`/tokens?agent=${encodeURIComponent(agentId)}&chain_id=${chainId}`, version)
  const token = found.value?.tokens[0]
  return token ? <Panel token={token} version={version} onTraded={() => setVersion(version + 1)} /> : null
}

type PanelProps = { token: AgentToken; version: number; onTraded(): void }

const Panel = ({ token, version, onTraded }: PanelProps) => {
  const isSignedIn = useToken() !== undefined
  const holdings = useLoaded<HoldingsRecord>(isSignedIn ? `/v1/holdings?chain_id=${token.chain_id}` : undefined, version)
  const held = holdings.value?.holdings.find(it => it.token === token.token)
  const isBought = Number(token.circulating) > 0
  return (
    <section class="token" aria-labelledby="token">
      <div class="card">
        <h2 id="token">
          {t('Token')} {token.symbol} <span class="q s">{token.name}</span>
        </h2>
        <History token={token} version={version} />
      </div>
      <div class="stack">
        <div class="card">
          {isSignedIn ? (
            <TokenSlip token={token} held={held} onTraded={onTraded} />
          ) : (
            <p class="q s">{t('Sign in on the first page to trade it.')}</p>
          )}
          <p class="q xs after">
            {t(
              'A token is a speculation. It can lose all its value, gives no share of what the agent earns, and is no part of hiring.',
            )}
          </p>
        </div>
        <dl class="card token-facts">
          <Fact name={t('In circulation')}>
            {isBought
              ? t('{some} of {all}', { some: toThreeDigits(token.circulating), all: toThreeDigits(token.supply) })
              : t('none, nobody has bought it yet')}
          </Fact>
          {isBought && (
            <Fact name={t('Value of all tokens')}>
              {toAbout(token.market_value)} {token.reserve_asset}
            </Fact>
          )}
          {isBought && (
            <Fact name={t('Held by the contract')}>
              {toAbout(token.reserve)} {token.reserve_asset}
            </Fact>
          )}
          <Fact name={t('Fee of a trade')}>{token.fee_bps / 100} %</Fact>
          <Fact name={t('Contract')}>
            <span class="mono">{toShort(token.token)}</span>
          </Fact>
        </dl>
      </div>
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children?: unknown }) => (
  <div class="row">
    <dt class="q s grow">{name}</dt>
    <dd class="num s">{children}</dd>
  </div>
)

const History = ({ token, version }: { token: AgentToken; version: number }) => {
  const [period, setPeriod] = useState<Period>('week')
  const { span, limit } = periods[period]
  const path = `/tokens/${token.token}/candles?chain_id=${token.chain_id}&span=${span}&limit=${limit}`
  const { value, error, reload } = useLoaded<{ candles: Candle[] }>(path, version)
  const change = changeOf(value?.candles ?? [])
  return (
    <>
      <div class="row token-price">
        <p class="grow">
          <b class="num">{toPrice(Number(token.price))}</b> <small>{token.reserve_asset}</small>
          {change !== undefined && (
            <span class={`s num ${change < 0 ? 'fell' : 'rose'}`}>
              {t(periods[period].changed, { change: `${change < 0 ? '−' : '+'}${Math.abs(change)}` })}
            </span>
          )}
        </p>
        <Segments
          name={t('Period of the price')}
          all={['day', 'week', 'month']}
          chosen={period}
          choose={setPeriod}
          wordsOf={it => t(periods[it].name)}
        />
      </div>
      {error && <Failed error={error} reload={reload} />}
      {value && value.candles.length > 0 ? (
        <Candles candles={value.candles} currency={token.reserve_asset} />
      ) : (
        value && <p class="q s">{t('No trade in this time.')}</p>
      )}
    </>
  )
}

const changeOf = (candles: Candle[]): number | undefined => {
  const [first, last] = [Number(candles[0]?.open), Number(candles.at(-1)?.close)]
  return first > 0 ? Math.round((last / first - 1) * 1_000) / 10 : undefined
}

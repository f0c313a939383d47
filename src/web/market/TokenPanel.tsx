import { useState } from 'hono/jsx/dom'
import { toShort } from '../client/format.ts'
import { useLoaded, useToken } from '../client/reach.ts'
import type { AgentToken, Candle } from '../client/wire.ts'
import { Failed, Notice } from '../parts/basics.tsx'
import { Candles } from './Candles.tsx'
import { TokenSlip } from './TokenSlip.tsx'

const spans = { '15m': 'quarters of an hour', '1h': 'hours', '1d': 'days' }
type Span = keyof typeof spans

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
  return (
    <section class="card token" aria-labelledby="token">
      <h2 id="token">
        Token {token.symbol} <span class="q s">{token.name}</span>
      </h2>
      <Notice>
        A token is a speculation. It can lose all its value, gives no share of what the agent earns, and is no part of hiring.
      </Notice>
      <dl class="token-facts">
        <Fact name="Price">
          {token.price} {token.reserve_asset}
        </Fact>
        <Fact name="In circulation">
          {toRound(token.circulating)} of {toRound(token.supply)}
        </Fact>
        <Fact name="In the curve">
          {toRound(token.reserve)} {token.reserve_asset}
        </Fact>
        <Fact name="Price × supply">
          {toRound(token.market_value)} {token.reserve_asset}
        </Fact>
        <Fact name="Fee">{token.fee_bps / 100} %</Fact>
        <Fact name="Contract">
          <span class="mono">{toShort(token.token)}</span>
        </Fact>
      </dl>
      <History token={token} version={version} />
      {isSignedIn ? <TokenSlip token={token} onTraded={onTraded} /> : <p class="q s">Sign in on the first page to trade it.</p>}
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children?: unknown }) => (
  <div>
    <dt class="q xs">{name}</dt>
    <dd class="num">{children}</dd>
  </div>
)

const toRound = (amount: string) => Number(amount).toLocaleString('en', { maximumFractionDigits: 2 })

const History = ({ token, version }: { token: AgentToken; version: number }) => {
  const [span, setSpan] = useState<Span>('1h')
  const path = `/tokens/${token.token}/candles?chain_id=${token.chain_id}&span=${span}&limit=48`
  const { value, error, reload } = useLoaded<{ candles: Candle[] }>(path, version)
  return (
    <>
      <div class="row">
        <h3 class="grow">Price</h3>
        {Object.keys(spans).map(it => (
          <button
            key={it}
            type="button"
            class="btn small"
            aria-pressed={it === span ? 'true' : 'false'}
            onClick={() => setSpan(it === '15m' || it === '1d' ? it : '1h')}
          >
            {it}
          </button>
        ))}
      </div>
      {error && <Failed error={error} reload={reload} />}
      {value && value.candles.length > 0 ? (
        <Candles candles={value.candles} currency={token.reserve_asset} />
      ) : (
        value && <p class="q s">No trade in the last 48 {spans[span]}.</p>
      )}
    </>
  )
}

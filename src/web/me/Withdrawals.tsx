import { useState } from 'hono/jsx/dom'
import type { WalletRecord, WithdrawalRecord as Withdrawal, WithdrawalAddressRecord } from '../../records/withdrawal.ts'
import { useEffect } from '../client/effects.ts'
import { toShort } from '../client/format.ts'
import { useLoaded, useReach } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Failed, Time, Usdc } from '../parts/basics.tsx'
import { LineChoice, LineField, LineForm } from '../parts/LineForm.tsx'
import { Transaction, useExplorer } from '../run/Transaction.tsx'
import { isUsable, WithdrawalAddresses } from './WithdrawalAddresses.tsx'

/**
 * A custodial wallet of the user: the proxy wallet or an agent's. Its balance is loaded again with each `version`. `isKept`: the
 * account has no other wallet, so its money leaves to addresses that the user added.
 */
type Props = {
  wallet: string
  chainId: number
  agentId?: string
  version?: number
  isKept?: boolean
  /** Tokens besides USDC that arrived in the wallet. */
  others?: WalletRecord['balances'][number]['others']
  onChanged?(): void
}

const shown = 5
const againMs = 1_000

/** Balance of a custodial wallet, and withdrawals from it: to the signed-in wallet, or to an address that the user added. */
export const Withdrawals = ({ wallet, chainId, agentId, version = 0, isKept = false, others = [], onChanged }: Props) => {
  const held = useLoaded<{ usdc: string }>(`/balances/${wallet}?chain_id=${chainId}`, version)
  const list = useLoaded<{ withdrawals: Withdrawal[] }>('/v1/withdrawals')
  const outside = useLoaded<{ addresses: WithdrawalAddressRecord[] }>(isKept ? '/v1/withdrawal-addresses' : undefined)
  const addresses = (outside.value?.addresses ?? []).filter(it => it.chain_id === chainId)
  const usable = addresses.filter(isUsable)
  const own = (list.value?.withdrawals ?? []).filter(it => it.from === wallet && it.chain_id === chainId)
  const pending = own.find(it => it.status === 'pending')?.withdrawal_id
  const refresh = () => {
    held.reload()
    list.reload()
    onChanged?.()
  }
  useEffect(() => {
    if (pending === undefined) return
    const again = setInterval(list.reload, againMs)
    return () => {
      clearInterval(again)
      refresh()
    }
  }, [pending])
  const error = held.error ?? list.error
  return (
    <section class="card" aria-labelledby="withdraw">
      <h2 id="withdraw">{t('Withdraw')}</h2>
      <p class="q s">
        {t(agentId ? 'To your own wallet.' : isKept ? toAdded : 'To the wallet you signed in with.')}{' '}
        {t('It takes a few seconds and costs nothing.')}
      </p>
      {error && <Failed error={error} reload={refresh} />}
      {held.value && (
        <p>
          <Usdc amount={held.value.usdc} />{' '}
          <span class="q">{t(agentId ? 'in the agent’s wallet' : 'in your marketplace wallet')}</span>
        </p>
      )}
      {held.value && (Number(held.value.usdc) > 0 || others.length > 0) && (!isKept || usable.length > 0) && (
        <Leave
          choices={usable}
          others={others}
          body={{ chain_id: chainId, ...(agentId && { agent_id: agentId }) }}
          isPending={pending !== undefined}
          done={refresh}
        />
      )}
      {own.length > 0 && (
        <ul class="lines s">
          {own.slice(0, shown).map(it => (
            <Row key={it.withdrawal_id} withdrawal={it} />
          ))}
        </ul>
      )}
      {isKept && <WithdrawalAddresses chainId={chainId} addresses={addresses} reload={outside.reload} />}
    </section>
  )
}

const toAdded = 'To an address that you added before, with your passkey.'

const words = { pending: 'on its way', done: 'arrived', failed: 'did not happen; nothing was moved' } as const

const Amount = ({ amount, asset }: Pick<Withdrawal, 'amount' | 'asset'>) =>
  asset === 'USDC' ? (
    <Usdc amount={amount} />
  ) : (
    <span class="num">
      {amount} {toShort(asset)}
    </span>
  )

const Row = ({ withdrawal: { amount, asset, status, tx_hash, to, created_at, chain_id } }: { withdrawal: Withdrawal }) => {
  const explorer = useExplorer(chain_id)
  return (
    <li>
      <Amount amount={amount} asset={asset} /> → <span class="mono">{toShort(to)}</span> {t(words[status])}{' '}
      <span class="q s">
        <Time at={created_at} /> {tx_hash && <Transaction hash={tx_hash} explorer={explorer} />}
      </span>
    </li>
  )
}

type LeaveProps = {
  body: object
  choices: WithdrawalAddressRecord[]
  others: NonNullable<Props['others']>
  isPending: boolean
  done(): void
}

const Leave = ({ body, choices, others, isPending, done }: LeaveProps) => {
  const { api } = useReach()
  const [amount, setAmount] = useState('')
  const [chosen, setChosen] = useState('')
  const [token, setToken] = useState('')
  const other = others.find(it => it.token === token)
  const to = (choices.find(it => it.address === chosen) ?? choices[0])?.address
  const send = async () => {
    const what = { ...(other && { asset: other.token }), ...(to && { to }), ...(amount.trim() && { amount: amount.trim() }) }
    await api.post('/v1/withdrawals', { ...body, ...what })
    setAmount('')
    done()
  }
  return (
    <LineForm button={t('Withdraw')} isReady={!isPending} send={send}>
      {choices.length > 0 && (
        <LineChoice
          label={t('Paid to')}
          options={choices.map(it => [it.address, `${it.name} ${toShort(it.address)}`])}
          value={to}
          set={setChosen}
        />
      )}
      {others.length > 0 && (
        <LineChoice
          label={t('What')}
          options={[['', 'USDC'], ...others.map(it => [it.token, toShort(it.symbol)] as const)]}
          value={token}
          set={setToken}
        />
      )}
      <LineField
        label={t('Amount in {token} (empty: all)', { token: toShort(other?.symbol ?? 'USDC') })}
        id="withdrawal"
        class="in num"
        inputmode="decimal"
        value={amount}
        set={setAmount}
      />
    </LineForm>
  )
}

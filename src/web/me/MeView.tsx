import type { PropsWithChildren } from 'hono/jsx'
import type { HealthRecord as Health } from '../../records/health.ts'
import type { ActivityRecord } from '../../records/market/activity.ts'
import type { HoldingsRecord as Holdings } from '../../records/token.ts'
import type { WalletRecord as Wallet } from '../../records/withdrawal.ts'
import { chainName, toAbout, toShort, toThreeDigits, toUsdc } from '../client/format.ts'
import { languages, setLanguage } from '../client/languages.ts'
import { useLoaded, useMoved, useReach, useToken, useWork } from '../client/reach.ts'
import { walletOf } from '../client/session.ts'
import type { Agent } from '../client/shapes.ts'
import { ownLanguage, t, tn } from '../client/words.ts'
import { Button, Failed, Link, Notice, Title, textOf, Waiting } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { Filled } from '../parts/Filled.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Liveness } from '../parts/liveness.tsx'
import { quoted } from '../parts/strangers.tsx'
import { AccountEvents } from './AccountEvents.tsx'
import { Activity } from './Activity.tsx'
import { AddMoney } from './AddMoney.tsx'
import { useActivity } from './activity.ts'
import { Butlers } from './Butlers.tsx'
import { Mandates } from './Mandates.tsx'
import { Marked } from './Marked.tsx'
import { isHeld, weekOf } from './movements.ts'
import { Notices } from './Notices.tsx'
import { OwnRecords } from './OwnRecords.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Programs } from './Programs.tsx'
import { ThisWeek } from './ThisWeek.tsx'
import { Withdrawals } from './Withdrawals.tsx'

export const MeView = () => {
  const wallet = useLoaded<Wallet>('/v1/wallets/me', useMoved())
  const health = useLoaded<Health>('/health')
  const activity = useActivity()
  const [first] = wallet.value?.balances ?? []
  const chains = health.value?.chains ?? []
  const token = useToken()
  const isKeptHere = token !== undefined && walletOf(token) === wallet.value?.ethereum
  return (
    <>
      <Title>{t('Account')}</Title>
      <div class="two acc">
        <div class="stack">
          <Balances wallet={wallet.value} error={wallet.error} reload={wallet.reload} chains={chains}>
            {first && <Beside movements={activity.rows ?? []} chainId={first.chain_id} />}
          </Balances>
          <Activity activity={activity} />
          {first && wallet.value && (
            <Withdrawals
              wallet={wallet.value.ethereum}
              chainId={first.chain_id}
              others={first.others}
              isKept={isKeptHere}
              onChanged={wallet.reload}
            />
          )}
          {chains.length > 1 && <Butlers />}
        </div>
        <aside class="stack" aria-label={t('This week and agents')}>
          {activity.rows && <ThisWeek week={weekOf(activity.rows, Date.now())} />}
          {first && <Mandates chainId={first.chain_id} />}
          <MyAgents />
          <Marked />
          <Notices />
          <Programs />
          <Passkeys />
          <AccountEvents />
          <OwnRecords />
          <Identity proxy={wallet.value?.ethereum ?? ''} />
        </aside>
      </div>
    </>
  )
}

type BalancesProps = PropsWithChildren<{
  wallet: Wallet | undefined
  error: string | undefined
  reload(): void
  chains: Health['chains']
}>

const Balances = ({ wallet, error, reload, chains, children }: BalancesProps) => (
  <section class="card" aria-label={t('Balance')}>
    <p class="label">{t('Balance')}</p>
    {error && <Failed error={error} reload={reload} />}
    {!wallet && !error && <Waiting />}
    {wallet?.balances.map(it => {
      const chain = chains.find(one => one.chain_id === it.chain_id)
      return (
        <div key={it.chain_id}>
          <p class="bigbal num">
            <span class="usdc">
              {toUsdc(it.usdc)} <small>USDC</small>
            </span>
          </p>
          <p class="q s">
            {chain?.embedded ? t('Test dollars on the local test chain.') : t('On {chain}.', { chain: chainName(chain ?? it) })}
          </p>
          {it.others.map(({ token, amount, symbol }) => (
            <Notice key={token} kind="note">
              {t(otherArrived, { amount: `${toThreeDigits(amount)} ${toShort(symbol)}` })}
            </Notice>
          ))}
          {chain && !chain.embedded && <AddMoney address={wallet.ethereum} chain={chainName(chain)} usdc={it.usdc_address} />}
        </div>
      )
    })}
    {children}
  </section>
)

const otherArrived = '{amount} arrived here too. Jobs are paid with USDC only, so it does not count. You can withdraw it below.'
const heldWords = 'And {sum} held safely for {n} running job.|And {sum} held safely for {n} running jobs.'

/** What the user has besides the balance: money held for running jobs, and tokens at what selling them would bring. */
const Beside = ({ movements, chainId }: { movements: ActivityRecord[]; chainId: number }) => {
  const held = movements.filter(isHeld)
  const sum = held.reduce((all, it) => all - Number(it.amount), 0)
  const { value } = useLoaded<Holdings>(`/v1/holdings?chain_id=${chainId}`, useMoved())
  return (
    <>
      {held.length > 0 && (
        <p class="q s">
          <Filled words={tn(held.length, heldWords)} of={{ sum: <b class="num">{toUsdc(sum.toFixed(2))}</b> }} />
        </p>
      )}
      {value?.holdings.map(it => (
        <p class="q s" key={it.token}>
          <Link to={`/app/agents/${it.agent_id}`}>{`${toThreeDigits(it.balance)} ${it.symbol}`}</Link>{' '}
          {t('would bring about {sum}.', { sum: `${toAbout(it.sells_for)} ${it.asset}` })}
        </p>
      ))}
    </>
  )
}

const MyAgents = () => {
  const { value } = useLoaded<Agent[]>('/my-agents')
  return (
    <section class="card" aria-labelledby="mine">
      <h3 id="mine">{t('My agents')}</h3>
      {value?.map(it => (
        <Link key={it.agent_id} to={`/app/me/agents/${it.agent_id}`} class="mine">
          <Face id={it.agent_id} size={34} />
          <span class="grow">
            <b>{quoted(it.name, 60)}</b>
            <br />
            <span class="q xs">
              <Liveness of={it.reputation} />
            </span>
          </span>
          <span class="num q s">{t('earned {sum}', { sum: toUsdc(String(it.stats.total_revenue)) })}</span>
        </Link>
      ))}
      <Link class="btn small" to="/app/me/agents" icon={<PlusIcon />} words={t('Offer an agent')} />
    </section>
  )
}

const Identity = ({ proxy }: { proxy: string }) => {
  const { api, session } = useReach()
  const token = useToken()
  const work = useWork()
  const leave = () =>
    work.run(async () => {
      await api.post('/v1/revoke', {}).finally(session.signOut)
    })
  const speak = (event: Event) => {
    setLanguage(localStorage, textOf(event))
    location.reload()
  }
  const own = token ? walletOf(token) : ''
  const isKept = own === proxy
  return (
    <section class="card" aria-labelledby="identity">
      <h3 id="identity">{t('Signed in')}</h3>
      <p class="q s">
        {t(isKept ? 'With a passkey. This service keeps your wallet {wallet}.' : 'With your wallet {wallet}.', {
          wallet: toShort(own),
        })}
      </p>
      <label class="field">
        <span>{t('Language of the page')}</span>
        <select class="in" onChange={speak}>
          {languages.map(it => (
            <option key={it} value={it} selected={it === ownLanguage()} lang={it}>
              {new Intl.DisplayNames([it], { type: 'language' }).of(it)}
            </option>
          ))}
        </select>
      </label>
      <Button class="btn small after" disabled={work.busy} onClick={leave} words={t('Sign out')} />
      {work.error && <p class="bad">{work.error}</p>}
    </section>
  )
}

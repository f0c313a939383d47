import type { ConversationRecord as Conversation } from '../../records/conversation.ts'
import type { HealthRecord as Health } from '../../records/health.ts'
import type { WalletRecord as Wallet } from '../../records/wallet.ts'
import { chainName, toShort, toUsdc } from '../client/format.ts'
import { type RareViews, useLoaded, useRareViews, useReach, useToken, useWork } from '../client/reach.ts'
import { walletOf } from '../client/session.ts'
import type { Agent } from '../client/shapes.ts'
import { Failed, Link, Time, Title, Waiting } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Liveness } from '../parts/liveness.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { Butlers } from './Butlers.tsx'
import { Withdrawals } from './Withdrawals.tsx'

/** The user's account: wallet, balances and permissions of the butler. */
export const MeView = () => {
  const wallet = useLoaded<Wallet>('/v1/wallets/me')
  const health = useLoaded<Health>('/health')
  const rare = useRareViews()
  const [first] = wallet.value?.balances ?? []
  const chains = health.value?.chains ?? []
  const token = useToken()
  const isKeptHere = token !== undefined && walletOf(token) === wallet.value?.ethereum
  return (
    <>
      <Title>Account</Title>
      <div class="two acc">
        <div class="stack">
          <Balances wallet={wallet.value} error={wallet.error} reload={wallet.reload} chains={chains} rare={rare} />
          {rare && first && <rare.Mandates chainId={first.chain_id} />}
          {first && wallet.value && !isKeptHere && (
            <Withdrawals wallet={wallet.value.ethereum} chainId={first.chain_id} onChanged={wallet.reload} />
          )}
          {chains.length > 1 && <Butlers />}
        </div>
        <aside class="stack" aria-label="Activity and agents">
          <Activity />
          <MyAgents />
          {rare && <rare.Programs />}
          {rare && <rare.Passkeys />}
          <Identity proxy={wallet.value?.ethereum ?? ''} />
        </aside>
      </div>
    </>
  )
}

type BalancesProps = {
  wallet: Wallet | undefined
  error: string | undefined
  reload(): void
  chains: Health['chains']
  rare: RareViews | undefined
}

const Balances = ({ wallet, error, reload, chains, rare }: BalancesProps) => (
  <section class="card" aria-label="Balance">
    <p class="label">Balance</p>
    {error && <Failed error={error} reload={reload} />}
    {!wallet && !error && <Waiting words="Reading the balance" />}
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
            {chain?.embedded ? 'Test dollars on ' : 'On '}
            {chainName(chain ?? it)}.
          </p>
          {rare && chain && !chain.embedded && <rare.AddMoney address={wallet.ethereum} chain={chainName(chain)} />}
        </div>
      )
    })}
  </section>
)

const shownTalks = 5

/** The user's latest conversations. */
const Activity = () => {
  const { value } = useLoaded<{ conversations: Conversation[] }>('/conversations')
  const talks = value?.conversations ?? []
  return (
    <section class="card act" aria-labelledby="activity">
      <h3 id="activity">Activity</h3>
      {value && talks.length === 0 && <p class="q s">Nothing yet. Your first conversation will be here.</p>}
      <ul>
        {talks.slice(0, shownTalks).map(it => (
          <li key={it.conversation_id}>
            <Link to={`/app/c/${encodeURIComponent(it.conversation_id)}`} class="grow">
              <b class="one">
                <Quoted text={it.title} chars={60} />
              </b>
              <span class="q xs">
                <Time at={it.updated_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const MyAgents = () => {
  const { value } = useLoaded<Agent[]>('/my-agents')
  return (
    <section class="card" aria-labelledby="mine">
      <h3 id="mine">My agents</h3>
      {value?.map(it => (
        <Link key={it.agent_id} to={`/app/me/agents/${it.agent_id}`} class="mine">
          <Face id={it.agent_id} size={34} />
          <span class="grow">
            <b>
              <Quoted text={it.name} chars={60} />
            </b>
            <br />
            <span class="q xs">
              <Liveness of={it.reputation} />
            </span>
          </span>
          <span class="num q s">earned {toUsdc(String(it.stats.total_revenue))}</span>
        </Link>
      ))}
      <Link class="btn small" to="/app/me/agents">
        <PlusIcon /> Offer an agent
      </Link>
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
  const own = token ? walletOf(token) : ''
  const isKept = own === proxy
  return (
    <section class="card" aria-labelledby="identity">
      <h3 id="identity">Signed in</h3>
      <p class="q s">
        {isKept ? `With a passkey. This service keeps your wallet ${toShort(own)}.` : `With your wallet ${toShort(own)}.`}
      </p>
      <button type="button" class="btn small" disabled={work.busy} onClick={leave}>
        Sign out
      </button>
      {work.error && <p class="bad">{work.error}</p>}
    </section>
  )
}

import { chainName, toShort } from '../client/format.ts'
import { useLoaded, useReach, useToken, useWork } from '../client/reach.ts'
import { walletOf } from '../client/session.ts'
import type { Health, Wallet } from '../client/wire.ts'
import { Failed, Link, Title, Usdc, useCopy, Waiting } from '../parts/basics.tsx'
import { Butlers } from './Butlers.tsx'
import { Mandates } from './Mandates.tsx'
import { Withdrawals } from './Withdrawals.tsx'

/** Who I am here, what I have, and what my butler may do. */
export const MeView = () => {
  const wallet = useLoaded<Wallet>('/v1/wallets/me')
  const [first] = wallet.value?.balances ?? []
  return (
    <section class="stack-wide">
      <Title>My side</Title>
      <div class="columns even">
        <Balances wallet={wallet.value} error={wallet.error} reload={wallet.reload} />
        <Identity proxy={wallet.value?.ethereum ?? ''} />
      </div>
      <Butlers />
      {first && <Mandates chainId={first.chain_id} />}
      {first && wallet.value && <Withdrawals wallet={wallet.value.ethereum} chainId={first.chain_id} onChanged={wallet.reload} />}
      <section class="card stack">
        <h2>For providers</h2>
        <p>Publish what your agents do, watch their jobs, and see what they earn.</p>
        <p>
          <Link class="button" to="/app/me/agents">
            My agents
          </Link>
        </p>
      </section>
    </section>
  )
}

type BalancesProps = { wallet: Wallet | undefined; error: string | undefined; reload(): void }

const Balances = ({ wallet, error, reload }: BalancesProps) => {
  const chains = useLoaded<Health>('/health').value?.chains ?? []
  return (
    <section class="card stack" aria-labelledby="balances">
      <h2 id="balances">Balance</h2>
      {error && <Failed error={error} reload={reload} />}
      {!wallet && !error && <Waiting words="Reading the balance" />}
      <ul class="plain stack">
        {wallet?.balances.map(it => (
          <li key={it.chain_id} class="balance">
            <span class="big">
              <Usdc amount={it.usdc} />
            </span>
            <span class="quiet">on {chainName(chains.find(chain => chain.chain_id === it.chain_id) ?? it)}</span>
          </li>
        ))}
      </ul>
      {wallet && (
        <p class="quiet small">
          Your marketplace wallet <Address text={wallet.ethereum} />. It pays into the escrow of jobs you said yes to, and
          otherwise only you take out of it.
        </p>
      )}
    </section>
  )
}

const Address = ({ text }: { text: string }) => {
  const [isCopied, copy] = useCopy()
  return (
    <button type="button" class="link mono" title={`Copy ${text}`} onClick={() => copy(text)}>
      {toShort(text)}
      {isCopied && ' copied'}
    </button>
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
  return (
    <section class="card stack" aria-labelledby="identity">
      <h2 id="identity">Signed in</h2>
      <p>
        as {own ? <Address text={own} /> : 'you'}
        {own === proxy && ' (demo)'}
      </p>
      <p class="quiet small">Signing out ends this browser's token at the service, too.</p>
      <p>
        <button type="button" disabled={work.busy} onClick={leave}>
          Sign out
        </button>
      </p>
      {work.error && <p class="bad">{work.error}</p>}
    </section>
  )
}

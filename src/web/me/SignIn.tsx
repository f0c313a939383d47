import { useEffect, useState } from 'hono/jsx/dom'
import { useReach, useWork } from '../client/reach.ts'
import { Notice } from '../parts/basics.tsx'
import { type BrowserWallet, findWallets, signIn, signInAsDemo } from './wallets.ts'

/** The door: a wallet of this browser signs one text, which costs nothing and moves nothing. */
export const SignIn = () => {
  const { api, session, local } = useReach()
  const work = useWork()
  const [wallets, setWallets] = useState<BrowserWallet[]>([])
  useEffect(() => findWallets(wallet => setWallets(known => [...known, wallet])), [])
  const enter = (token: Promise<string>) => work.run(async () => session.signIn(await token))
  return (
    <section class="card sign-in" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in</h2>
      <p>Your wallet signs one text. That costs nothing and moves no money.</p>
      <div class="stack">
        {wallets.map(wallet => (
          <button type="button" key={wallet.id} class="primary" disabled={work.busy} onClick={() => enter(signIn(api, wallet))}>
            {wallet.name}
          </button>
        ))}
        {local && (
          <button
            type="button"
            class={wallets.length === 0 ? 'primary' : ''}
            disabled={work.busy}
            onClick={() => enter(signInAsDemo(api, localStorage))}
          >
            Use a demo wallet
          </button>
        )}
      </div>
      {wallets.length === 0 && (
        <p class="quiet">
          No wallet was found in this browser.
          {local ? ' The demo wallet comes with test USDC.' : ' Install or unlock one and load this page again.'}
        </p>
      )}
      {work.error && <Notice kind="error">{work.error}</Notice>}
      <p class="quiet small">
        From then on, agents of this wallet are registered while signed in, no longer by key alone, unless you allow that again.
      </p>
    </section>
  )
}

// The approval page: a wallet of this browser (EIP-6963, EIP-1193) signs the text that the service made (EIP-4361), or a passkey
// (WebAuthn level 3) signs in.

const code = new URLSearchParams(location.search).get('code') ?? ''
const at = id => document.getElementById(id)
const say = text => {
  at('said').textContent = text
}
const show = id => {
  for (const section of ['choose', 'approve', 'done']) at(section).hidden = section !== id
}

const ask = async (path, body) => {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, body ? post : {})
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.detail)
  return answer
}

/** Whatever goes wrong is said on the page; a wallet's refusal too. */
const guarded = work => async () => {
  say('')
  try {
    await work()
  } catch (error) {
    say(error?.message ?? 'Something went wrong.')
  }
}

const finish = ({ token, expires_at, recovery_code }) => {
  at('token').value = token
  at('recovery').hidden = !recovery_code
  at('kept').textContent = recovery_code ?? ''
  at('expires').textContent = `Valid until ${new Date(expires_at).toLocaleString()}.`
  at('handed').hidden = !at('handover').checked
  show('done')
  at('copy').focus()
}

/** What the yes button does, for the wallet that was chosen. */
let approve = async () => {}

const toHex = text => `0x${Array.from(new TextEncoder().encode(text), byte => byte.toString(16).padStart(2, '0')).join('')}`

/** The chain that the wallet is on, if it is served. A wallet that is a contract can sign for that chain alone. */
const servedChainOf = async provider => {
  const id = Number(await provider.request({ method: 'eth_chainId' }).catch(() => undefined))
  const { chains } = await ask('/health')
  return chains.some(it => it.chain_id === id) ? { chain_id: id } : undefined
}

const chooseWallet = provider =>
  guarded(async () => {
    const [address] = await provider.request({ method: 'eth_requestAccounts' })
    if (!address) throw new Error('The wallet shared no account.')
    const chain = await servedChainOf(provider)
    const { message } = await ask(`/v1/approve?${new URLSearchParams({ code, address, ...chain })}`)
    at('wallet').textContent = address
    at('message').textContent = message
    at('signed').hidden = false
    approve = async () => {
      const signature = await provider.request({ method: 'personal_sign', params: [toHex(message), address] })
      const signed = { code, address, signature, hand_over: at('handover').checked }
      finish(await ask('/v1/approve', { ...signed, ...(chain && { chain_id: chain.chain_id }) }))
    }
    show('approve')
  })

const demoKey = 'demo-wallet'
const demoSecret = () => {
  const kept = localStorage.getItem(demoKey)
  if (kept) return kept
  const fresh = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
  localStorage.setItem(demoKey, fresh)
  return fresh
}

const chooseDemo = guarded(async () => {
  at('wallet').textContent = 'demo wallet of this browser'
  at('signed').hidden = true
  approve = async () => finish(await ask('/v1/approve/demo', { code, secret: demoSecret(), hand_over: at('handover').checked }))
  show('approve')
})

const useOptions = {
  'sign-in': options => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  'sign-up': options => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
}

/** @param purpose `sign-in` with a passkey of this person, or `sign-up` with a new one */
const choosePasskey = purpose =>
  guarded(async () => {
    at('wallet').textContent = purpose === 'sign-in' ? 'that of your passkey' : 'a new one, which this service keeps for you'
    at('signed').hidden = true
    approve = async () => {
      const { options } = await ask('/v1/passkeys/options', { purpose })
      const answer = (await useOptions[purpose](options)).toJSON()
      const session = { code, hand_over: at('handover').checked }
      finish(await ask(`/v1/passkeys/${purpose}`, { answer, ...session }))
    }
    show('approve')
  })

/** Passkeys need a name in the address, so a page that was opened by its number leads to the same page by its name. */
const offerPasskeys = () => {
  if (location.hostname === '127.0.0.1')
    return offer('Continue with a passkey', () => location.assign(location.href.replace('//127.0.0.1', '//localhost')))
  if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) return
  offer('Continue with a passkey', choosePasskey('sign-in'))
  offer('New here? Make a passkey', choosePasskey('sign-up'))
}

const offer = (name, choose) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = name
  button.addEventListener('click', choose)
  at('list').append(button)
  at('none').hidden = true
}

const known = new Set()
const offerWallet = ({ info, provider }) => {
  if (!provider || known.has(info.uuid)) return
  known.add(info.uuid)
  offer(info.name, chooseWallet(provider))
}

const offerWhatIsThere = () => {
  offerPasskeys()
  addEventListener('eip6963:announceProvider', event => offerWallet(event.detail))
  dispatchEvent(new Event('eip6963:requestProvider'))
  // Wallets older than EIP-6963 put themselves here and say nothing.
  if (known.size === 0 && window.ethereum)
    offerWallet({ info: { uuid: 'window.ethereum', name: 'Browser wallet' }, provider: window.ethereum })
  if (document.body.dataset.local === 'true') offer('Use a demo wallet', chooseDemo)
  if (at('list').children.length === 0) at('none').hidden = false
}

at('yes').addEventListener(
  'click',
  guarded(() => approve()),
)
at('no').addEventListener(
  'click',
  guarded(() => show('choose')),
)
at('copy').addEventListener(
  'click',
  guarded(async () => {
    at('token').select()
    await navigator.clipboard.writeText(at('token').value)
    say('Copied.')
  }),
)

if (code) offerWhatIsThere()
else {
  show('')
  say('Open this page by the address that your program shows you.')
}

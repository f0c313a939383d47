import { isObject } from '../../domain/objects.ts'
import type { HealthRecord } from '../../records/health.ts'
import type { Api } from '../client/api.ts'
import { t } from '../client/words.ts'

type Provider = { request(ask: { method: string; params?: unknown[] }): Promise<unknown> }
export type BrowserWallet = { id: string; name: string; provider: Provider }

const isProvider = (it: unknown): it is Provider => isObject(it) && typeof it.request === 'function'

const toWallet = (detail: unknown): BrowserWallet | undefined => {
  if (!isObject(detail) || !isObject(detail.info) || !isProvider(detail.provider)) return undefined
  return { id: String(detail.info.uuid), name: String(detail.info.name).slice(0, 60), provider: detail.provider }
}

/**
 * Reports each wallet of this browser once: those of EIP-6963, or else the one at window.ethereum. @returns a function that
 * stops it
 */
export const findWallets = (found: (wallet: BrowserWallet) => void): (() => void) => {
  const known = new Set<string>()
  const notify = (wallet: BrowserWallet | undefined) => {
    if (!wallet || known.has(wallet.id)) return
    known.add(wallet.id)
    found(wallet)
  }
  const hear = (event: Event) => event instanceof CustomEvent && notify(toWallet(event.detail))
  addEventListener('eip6963:announceProvider', hear)
  dispatchEvent(new Event('eip6963:requestProvider'))
  const old: unknown = Reflect.get(window, 'ethereum')
  if (known.size === 0) notify(toWallet({ info: { uuid: 'window.ethereum', name: 'Browser wallet' }, provider: old }))
  return () => removeEventListener('eip6963:announceProvider', hear)
}

/** The error code of a wallet whose user declined (EIP-1193). */
const declinedCode = 4001

const ask = (provider: Provider, method: string, params?: unknown[]) =>
  provider.request({ method, ...(params && { params }) }).catch((error: unknown) => {
    if (isObject(error) && error.code === declinedCode)
      throw new Error(t('You declined the signature. Nothing happened; try again when you like.'), { cause: error })
    throw error
  })

const hexOf = (bytes: Uint8Array) => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

const begin = async (api: Api) => (await api.post<{ code: string }>('/v1/init', true)).code

/**
 * Signs in with a wallet's signature of a fresh EIP-4361 text, and returns the token. @throws Error of the wallet or the
 * service
 */
export const signIn = async (api: Api, { provider }: BrowserWallet): Promise<string> => {
  const accounts = await ask(provider, 'eth_requestAccounts')
  const address = Array.isArray(accounts) ? String(accounts[0] ?? '') : ''
  if (!address) throw new Error(t('The wallet shared no account. Unlock it and try again.'))
  const code = await begin(api)
  const chain = await servedChainOf(api, provider)
  const of = { code, address, ...(chain && { chain_id: String(chain) }) }
  const { message } = await api.get<{ message: string }>(`/v1/approve?${new URLSearchParams(of)}`)
  const text = `0x${hexOf(new TextEncoder().encode(message))}`
  const signature = await ask(provider, 'personal_sign', [text, address])
  const { token } = await api.post<{ token: string }>('/v1/approve', {
    ...{ code, address, signature, hand_over: false },
    ...(chain && { chain_id: chain }),
  })
  return token
}

/** The chain that the wallet is on, if it is served. A wallet that is a contract can sign for that chain alone. */
const servedChainOf = async (api: Api, provider: Provider): Promise<number | undefined> => {
  const id = Number(await provider.request({ method: 'eth_chainId' }).catch(() => undefined))
  const { chains } = await api.get<HealthRecord>('/health')
  return chains.some(it => it.chain_id === id) ? id : undefined
}

const demoKey = 'demo-wallet'

/** Signs in as the demo user of this browser and returns the token. It works only in the local world. */
export const signInAsDemo = async (api: Api, storage: Storage): Promise<string> => {
  const secret = storage.getItem(demoKey) ?? hexOf(crypto.getRandomValues(new Uint8Array(16)))
  storage.setItem(demoKey, secret)
  const code = await begin(api)
  const { token } = await api.post<{ token: string }>('/v1/approve/demo', { code, secret, hand_over: false })
  return token
}

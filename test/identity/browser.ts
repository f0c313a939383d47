import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'
import type { PrivateKeyAccount } from 'viem/accounts'
import { z } from 'zod'

type Listener = (event: { detail: unknown; type: string }) => unknown
type Element = {
  hidden: boolean
  textContent: string
  value: string
  checked: boolean
  type: string
  children: Element[]
  append(child: Element): void
  addEventListener(name: string, listener: () => Promise<void>): void
  click(): Promise<void>
  focus(): void
  select(): void
}

const createElement = (): Element => {
  let clicked: () => Promise<void> = async () => undefined
  const children: Element[] = []
  return {
    ...{ hidden: false, textContent: '', value: '', checked: false, type: '', children },
    append: child => void children.push(child),
    addEventListener: (_name, listener) => {
      clicked = listener
    },
    click: () => clicked(),
    focus: () => undefined,
    select: () => undefined,
  }
}

/** An EIP-1193 browser wallet that signs every text, or refuses. */
const createProvider = (account: PrivateKeyAccount, isWilling: () => boolean) => ({
  request: async ({ method, params }: { method: string; params?: unknown[] }) => {
    if (method === 'eth_requestAccounts') return [account.address]
    if (!isWilling()) throw new Error('User rejected the request.')
    const [raw] = z.tuple([z.templateLiteral(['0x', z.string()]), z.string()]).parse(params)
    return account.signMessage({ message: { raw } })
  },
})

type Opened = { url: string; path: string; account?: PrivateKeyAccount; isWilling?: () => boolean }

/** Runs the script of the approval page with a minimal browser environment. */
export const openPage = async ({ url, path, account, isWilling = () => true }: Opened) => {
  const html = await (await fetch(`${url}${path}`)).text()
  const ids = [...html.matchAll(/<[^>]* id="(\w+)"([^>]*)>/g)]
  const elements = new Map(ids.map(([, id = '', rest = '']) => [id, { ...createElement(), hidden: /\bhidden\b/.test(rest) }]))
  const at = (id: string) => {
    const found = elements.get(id)
    if (!found) throw new Error(`The page has no ${id}.`)
    return found
  }
  const listeners = new Map<string, Listener>()
  const kept = new Map<string, string>()
  const copied: string[] = []
  const dispatch = (event: { type: string; detail?: unknown }) => listeners.get(event.type)?.({ detail: undefined, ...event })
  const announce = () => {
    const detail = account && { info: { uuid: '1', name: 'Test Wallet' }, provider: createProvider(account, isWilling) }
    if (detail) dispatch({ type: 'eip6963:announceProvider', detail })
  }
  const window = {}
  const globals = {
    ...{ window, URLSearchParams, TextEncoder, Event, crypto, Date, Error, Array, Set },
    location: { search: new URL(path, url).search },
    document: { getElementById: at, createElement, body: { dataset: { local: /data-local="(\w+)"/.exec(html)?.[1] } } },
    localStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, it: string) => kept.set(key, it) },
    navigator: { clipboard: { writeText: async (text: string) => void copied.push(text) } },
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    dispatchEvent: (event: Event) => (event.type === 'eip6963:requestProvider' ? announce() : dispatch(event)),
    fetch: (to: string, init: RequestInit) => fetch(new URL(to, url), init),
  }
  const script = /<script src="([^"]+)"/.exec(html)?.[1] ?? ''
  runInNewContext(await (await fetch(`${url}${script}`)).text(), globals)
  return { at, copied, choices: () => at('list').children }
}

/** The page script in the repository, to compare with the served one. */
export const pageFile = (name: string) => readFile(new URL(`../../src/http/pages/authorize/${name}`, import.meta.url), 'utf8')

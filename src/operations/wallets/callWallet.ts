import { z } from 'zod'
import { type Address, hex, toWallet } from '../../domain/hex.ts'
import { type JsonObject, json, jsonObject, parseJson } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain, Wallets } from '../../ports.ts'
import { chainOf, operation, userOf } from '../operation.ts'
import { checkText, checkTyped } from './walletTexts.ts'

/**
 * What a caller may do with the custodial wallet:
 * - eth_getBalance: native coin of the wallet, or of an address.
 * - eth_call: a read-only call to a contract of this market.
 * - personal_sign: a readable text without meaning to this service.
 * - eth_signTypedData_v4: typed data that moves no money and is for no contract of this market.
 * - eth_sendTransaction: refused. The wallet sends only hires, refunds and withdrawals. Hires begin with POST /v1/hires and
 * need the user's consent; refunds come without a request. Methods of non-EVM chains are not offered.
 */
export const callWallet = operation({
  name: 'callWallet',
  summary:
    'Call a JSON-RPC method of the custodial wallet: eth_getBalance, eth_call, personal_sign, eth_signTypedData_v4. ' +
    'It sends no transactions.',
  input: z.object({
    method: z.string().max(60),
    caip2: z
      .string()
      .regex(/^eip155:\d{1,15}$/, 'must be eip155:<chain id>')
      .default('eip155:97'),
    params: json.default({}),
  }),
  output: z.object({ method: z.string(), data: jsonObject }),

  async run({ method, caip2, params }, deps, caller) {
    const chain = chainOf(deps, Number(caip2.slice('eip155:'.length)))
    const call = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!call) throw new Problem('method-not-offered', `Supported methods: ${Object.keys(methods).join(', ')}.`, '/method')
    const wallet = await deps.wallets.ensure('user', userOf(caller))
    return { method, data: { ...(await call({ wallet, chain, wallets: deps.wallets, params })), caip2 } }
  },
})

type Asked = { wallet: Address; chain: Chain; wallets: Wallets; params: unknown }
type Method = (asked: Asked) => Promise<JsonObject>

const misfit = (detail: string) => new Problem('invalid-input', detail, '/params')
const first = (params: unknown): unknown => (Array.isArray(params) ? params[0] : params)
const quantity = (it: bigint) => `0x${it.toString(16)}`

const eth_getBalance: Method = async ({ wallet, chain, params }) => {
  const asked = Array.isArray(params) ? params[0] : z.object({ address: z.string().optional() }).safeParse(params).data?.address
  const of = asked === undefined ? wallet : toWallet(String(asked))
  if (!of) throw misfit('address must be a wallet address.')
  if (!chain.coinBalance) throw new Problem('method-not-offered')
  return { result: quantity(await chain.coinBalance(of)) }
}

const question = z.object({ to: z.string(), data: hex.refine(it => it.length <= 10_000, 'is too long').default('0x') })

const eth_call: Method = async ({ chain, params }) => {
  const inner = z.object({ transaction: z.unknown() }).safeParse(params)
  const { data: asked } = question.safeParse(inner.success ? inner.data.transaction : first(params))
  const to = asked && toWallet(asked.to)
  if (!asked || !to) throw misfit('A call has to and data.')
  if (!Object.values(chain.addresses).includes(to))
    throw new Problem('signing-refused', 'Only the USDC token, the escrow and the registries of this market can be called.')
  if (!chain.ask) throw new Problem('method-not-offered')
  const result = await chain.ask(to, asked.data)
  if (result === undefined) throw misfit('The contract refuses this call.')
  return { result }
}

/** Clients send either an object with the message, or an array of text and address. */
const toText = (params: unknown): string | undefined => {
  const inObject = z.object({ message: z.string() }).safeParse(params).data?.message
  const inArray = z.array(z.string()).safeParse(params).data?.[0]
  return inObject ?? inArray
}

const personal_sign: Method = async ({ wallet, wallets, params }) => {
  const text = toText(params)
  if (text === undefined) throw misfit('personal_sign takes { message } or [text, address].')
  checkText(text)
  if (!wallets.signText) throw new Problem('method-not-offered')
  return { signature: await wallets.signText(wallet, text), encoding: 'hex' }
}

/** Clients send either an object with typed_data, or an array of address and typed data, which may be JSON text. */
const toTyped = (params: unknown): unknown => {
  const given = Array.isArray(params) ? params[1] : z.object({ typed_data: z.unknown() }).safeParse(params).data?.typed_data
  return typeof given === 'string' ? jsonObject.safeParse(parseJson(given)).data : given
}

const eth_signTypedData_v4: Method = async ({ wallet, chain, wallets, params }) => {
  const given = toTyped(params)
  const renamed = z.looseObject({ primary_type: z.string() }).safeParse(given)
  const typed = checkTyped(renamed.success ? { ...renamed.data, primaryType: renamed.data.primary_type } : given, chain)
  if (!wallets.signTypedData) throw new Problem('method-not-offered')
  const signature = await wallets.signTypedData(wallet, typed)
  if (!signature) throw misfit('The types do not fit the message.')
  return { signature, encoding: 'hex' }
}

const eth_sendTransaction: Method = async () => {
  throw new Problem(
    'signing-refused',
    'This wallet sends only hires that you confirmed (POST /v1/hires), refunds of expired escrows, ' +
      'and withdrawals (POST /v1/withdrawals).',
  )
}

const methods: Readonly<Record<string, Method>> = {
  eth_getBalance,
  eth_call,
  personal_sign,
  eth_signTypedData_v4,
  eth_sendTransaction,
}

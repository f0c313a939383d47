import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { transferWithAuthorization } from '../../src/chain/signing/transferWords.ts'
import { type Address, address, hex } from '../../src/domain/hex.ts'
import type { Json } from '../../src/domain/json.ts'
import { type Authorization, toHeader } from '../../src/domain/x402.ts'
import { paidCallRecord } from '../../src/operations/paidCalls/paidCallRecord.ts'
import { type TestService, until } from '../service.ts'

const record = z.looseObject({ withdrawal_id: z.string(), status: z.string() })
const wallet = z.object({ balances: z.array(z.object({ usdc_address: z.string() })) })

const lower = (text: string): Address => address.parse(text.toLowerCase())

/** A payment header built by hand. */
export const toPaymentHeader = ({ signature, ...terms }: Authorization, rest: Record<string, Json> = {}): string => {
  const authorization = Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, String(value)]))
  const accepted = { scheme: 'exact', network: 'eip155:97' }
  return toHeader({ x402Version: 2, accepted, payload: { signature, authorization }, ...rest })
}

/** A buyer with USDC in a wallet of its own, who pays with the standard x402 client. `requests` records the sent requests. */
export const createBuyer = async (market: TestService, name: string) => {
  const user = await market.user(name)
  const { privateKey } = z.object({ privateKey: hex }).parse(JSON.parse(await readFile(join(market.dir, `${name}.json`), 'utf8')))
  const account = privateKeyToAccount(privateKey)
  await user.client.post('/v1/withdrawals', { amount: '5' })
  await until(`USDC of ${name}`, async () => {
    const { withdrawals } = z.object({ withdrawals: z.array(record) }).parse(await user.client.get('/v1/withdrawals'))
    return withdrawals[0]?.status === 'done'
  })
  const [onChain] = wallet.parse(await user.client.get('/v1/wallets/me')).balances
  const usdc = lower(onChain?.usdc_address ?? '0x')
  const client = new x402Client().register('eip155:97', new ExactEvmScheme(account)).setSpendControls({
    allowedAssets: [{ network: 'eip155:97', asset: usdc, maxAmountPerPayment: '1000000' }],
  })
  const requests: Request[] = []
  const tapped: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    requests.push(request.clone())
    return fetch(request)
  }
  const pay = wrapFetchWithPayment(tapped, client)
  /** Signs a transfer by hand, valid for five minutes, with a new nonce. */
  const sign = async (of: Pick<Authorization, 'to' | 'value'> & Partial<Authorization>): Promise<Authorization> => {
    const validBefore = BigInt(Math.floor(Date.now() / 1_000) + 300)
    const message = { from: account.address, validAfter: 0n, validBefore, nonce: generatePrivateKey(), ...of }
    const signature = await account.signTypedData({
      domain: { name: 'USD Coin', version: '1', chainId: 97, verifyingContract: usdc },
      types: transferWithAuthorization,
      primaryType: 'TransferWithAuthorization',
      message,
    })
    return { ...message, from: lower(account.address), signature }
  }
  return {
    ...user,
    account,
    sign,
    requests,
    /** Buys with the standard x402 client. */
    async buy(path: string, body: unknown) {
      const headers = { 'content-type': 'application/json' }
      const response = await pay(`${market.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      const settled = response.headers.get('payment-response')
      const answer: unknown = await response.json()
      return {
        status: response.status,
        body: answer,
        record: paidCallRecord.safeParse(answer).data,
        settled: settled === null ? undefined : decodePaymentResponseHeader(settled),
      }
    },
  }
}

export type Buyer = Awaited<ReturnType<typeof createBuyer>>

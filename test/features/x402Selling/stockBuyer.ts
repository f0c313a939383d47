import { ExactEvmScheme, UptoEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Address } from '../../../src/domain/hex.ts'

/** `maxAmount`: the maximum of one payment, in atomic units of the asset. */
type Spending = { account: PrivateKeyAccount; asset: Address; maxAmount: string }

/** The standard x402 client of a wallet on chain 97. `requests` records the requests that it sent. */
export const createStockBuyer = (base: string, { account, asset, maxAmount }: Spending) => {
  const client = new x402Client()
    .register('eip155:97', new ExactEvmScheme(account))
    .register('eip155:97', new UptoEvmScheme(account))
    .setSpendControls({ allowedAssets: [{ network: 'eip155:97', asset, maxAmountPerPayment: maxAmount }] })
  const requests: Request[] = []
  const recorded: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    requests.push(request.clone())
    return fetch(request)
  }
  const pay = wrapFetchWithPayment(recorded, client)
  return {
    requests,
    /** Posts `body` and pays what the service asks for. `settled` is the receipt of the payment, if there was one. */
    async buy(path: string, body: unknown) {
      const headers = { 'content-type': 'application/json' }
      const response = await pay(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      const receipt = response.headers.get('payment-response')
      const answer: unknown = await response.json()
      return {
        status: response.status,
        headers: response.headers,
        body: answer,
        settled: receipt === null ? undefined : decodePaymentResponseHeader(receipt),
      }
    },
  }
}

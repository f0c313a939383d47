import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { hex } from '../../src/domain/hex.ts'
import { paidCallRecord } from '../../src/operations/paidCalls/paidCallRecord.ts'
import { type TestService, until } from '../service.ts'

const record = z.looseObject({ withdrawal_id: z.string(), status: z.string() })
const wallet = z.object({ balances: z.array(z.object({ usdc_address: z.string() })) })

/** A buyer with USDC in a wallet of its own, who pays with the stock client of x402. `requests` are those that it sent. */
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
  const client = new x402Client()
    .register('eip155:97', new ExactEvmScheme(account))
    .setSpendControls({
      allowedAssets: [{ network: 'eip155:97', asset: onChain?.usdc_address ?? '', maxAmountPerPayment: '1000000' }],
    })
  const requests: Request[] = []
  const tapped: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    requests.push(request.clone())
    return fetch(request)
  }
  const pay = wrapFetchWithPayment(tapped, client)
  return {
    ...user,
    account,
    requests,
    /** Buys with the stock client. */
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

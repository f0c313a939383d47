import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { transferWithAuthorization } from '../../../src/chain/signing/transferWords.ts'
import { type Address, address, hex } from '../../../src/domain/hex.ts'
import type { Json } from '../../../src/domain/json.ts'
import { type Authorization, toHeader } from '../../../src/domain/x402/x402.ts'
import { paidCallRecord } from '../../../src/features/x402Selling/paidCallRecord.ts'
import { type TestService, until } from '../../service.ts'
import { createStockBuyer } from './stockBuyer.ts'

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
  const stock = createStockBuyer(market.url, { account, asset: usdc, maxAmount: '1000000' })
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
    requests: stock.requests,
    /** Buys with the standard x402 client. `record` is the paid call that the service answered with. */
    async buy(path: string, body: unknown) {
      const bought = await stock.buy(path, body)
      return { ...bought, record: paidCallRecord.safeParse(bought.body).data }
    },
  }
}

export type Buyer = Awaited<ReturnType<typeof createBuyer>>

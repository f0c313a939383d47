import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme as ExactFacilitator } from '@x402/evm/exact/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { UptoEvmScheme as UptoFacilitator } from '@x402/evm/upto/facilitator'
import { UptoEvmScheme } from '@x402/evm/upto/server'
import { paymentMiddleware, setSettlementOverrides, x402ResourceServer } from '@x402/hono'
import { type Context, Hono } from 'hono'
import { encodeFunctionData, isAddressEqual, parseAbi, recoverTypedDataAddress } from 'viem'
import { z } from 'zod'
import type { Address } from '../../../src/domain/hex.ts'
import { people } from '../../contracts/world.ts'
import type { PermitMarket } from '../x402Selling/permitMarket.ts'
import { listen } from './seller.ts'

const typed = z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() })))
const network = 'eip155:97' as const
const routerAbi = parseAbi(['function run(address target, bytes[] calls)'])

/** The wallet of the standard facilitator. It calls the contracts through `router`, where that is one. */
export const createStockSigner = (client: PermitMarket['client'], routed: { router: Address | undefined }) => {
  const account = people.stranger
  return toFacilitatorEvmSigner({
    address: account.address,
    // The proxy for `upto` takes calls of its facilitator only, also those that are tried.
    readContract: args => client.readContract({ ...args, args: args.args ?? [], account }),
    async verifyTypedData({ address, types, ...signed }) {
      const signedBy = await recoverTypedDataAddress({ ...signed, types: typed.parse(types) })
      return isAddressEqual(signedBy, address)
    },
    async writeContract(args) {
      if (!routed.router) return client.writeContract({ ...args, account })
      const calls = [encodeFunctionData(args)]
      const through = { address: routed.router, abi: routerAbi, functionName: 'run', args: [args.address, calls] } as const
      return client.writeContract({ ...through, account })
    },
    sendTransaction: args => client.sendTransaction({ ...args, account }),
    waitForTransactionReceipt: args => client.waitForTransactionReceipt(args),
    getCode: args => client.getCode(args),
  })
}

type Selling = { scheme: 'exact' | 'upto'; payTo: Address; amount: bigint; work(c: Context): Response }

/** Starts the standard x402 server with the standard facilitator. Its price is paid by Permit2 only. */
const startSeller = async ({ client, usdc }: PermitMarket, { scheme, payTo, amount, work }: Selling) => {
  const seen = { settled: 0, isDropping: false, router: undefined as Address | undefined }
  const signer = createStockSigner(client, seen)
  const isByUse = scheme === 'upto'
  const facilitator = new x402Facilitator().register(
    network,
    isByUse ? new UptoFacilitator(signer) : new ExactFacilitator(signer),
  )
  facilitator.onAfterSettle(async () => {
    seen.settled += 1
  })
  const server = new x402ResourceServer({
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: async () => {
      const { extra = {} } = facilitator.getSupported().kinds[0] ?? {}
      return { kinds: [{ x402Version: 2, scheme, network, extra }], extensions: [], signers: {} }
    },
  }).register(network, isByUse ? new UptoEvmScheme() : new ExactEvmScheme())
  const price = { amount: amount.toString(), asset: usdc, extra: { assetTransferMethod: 'permit2' } }
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    if (!seen.isDropping || c.req.header('payment-signature') === undefined) return
    seen.isDropping = false
    c.res = new Response(new ReadableStream({ pull: controller => controller.error(new Error('cut')) }))
  })
  app.use(paymentMiddleware({ 'GET /weather': { accepts: { scheme, network, payTo, price } } }, server))
  app.get('/weather', work)
  const { http, port } = await listen(app)
  return {
    url: `http://127.0.0.1:${port}/weather`,
    payTo,
    settled: () => seen.settled,
    /** Settles by calls of this contract, which calls the proxy. */
    settleThrough: (router: Address | undefined) => {
      seen.router = router
    },
    drop: () => {
      seen.isDropping = true
    },
    stop: () => new Promise<void>(resolve => http.close(() => resolve())),
  }
}

export type PermitSeller = Awaited<ReturnType<typeof startPermitSeller>>

/** Sells at a fixed price. */
export const startPermitSeller = (world: PermitMarket, payTo: Address, amount: bigint) =>
  startSeller(world, { scheme: 'exact', payTo, amount, work: c => c.json({ weather: 'sunny' }) })

export type UptoSeller = Awaited<ReturnType<typeof startUptoSeller>>

/** Sells by use: it takes at most `most` after its work. */
export const startUptoSeller = async (world: PermitMarket, payTo: Address, most: bigint) => {
  const seen = { taken: most, isFailing: false }
  const work = (c: Context) => {
    if (seen.isFailing) return c.json({ error: 'no weather today' }, 500)
    setSettlementOverrides(c, { amount: seen.taken.toString() })
    return c.json({ weather: 'sunny' })
  }
  return {
    ...(await startSeller(world, { scheme: 'upto', payTo, amount: most, work })),
    /** What it takes of the next payments. */
    take: (amount: bigint) => {
      seen.taken = amount
    },
    fail: (isFailing: boolean) => {
      seen.isFailing = isFailing
    },
  }
}

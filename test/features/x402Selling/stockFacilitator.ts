import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { Hono } from 'hono'
import type { PrivateKeyAccount } from 'viem/accounts'
import { z } from 'zod'
import type { Hex } from '../../../src/domain/hex.ts'
import type { External } from '../../chain/external.ts'
import { listen } from '../x402Buying/seller.ts'

/** What the facilitator does with a payment that it should settle. */
export type Manner =
  | 'good'
  /** Says that it settled, and sends nothing. */
  | 'lie'
  /** Says that it did not settle, and sent the transfer. */
  | 'deny'
  /** Says that the payment is not valid. */
  | 'refuse'
  /** Never answers. It sends the transfer when it is told to. */
  | 'slow'
  /** Breaks the connection, before or after it sent the transfer. */
  | 'die'
  | 'die after'

const asked = z.object({ paymentPayload: z.any(), paymentRequirements: z.any() })

/** The standard facilitator (`@x402/core`, `@x402/evm`) behind HTTP, with a wallet of its own, which may misbehave. */
export const startStockFacilitator = async ({ client }: External, account: PrivateKeyAccount) => {
  const chain = client.chain
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    readContract: of => client.readContract({ ...of, args: of.args ?? [] }),
    verifyTypedData: of => client.verifyTypedData(z.any().parse(of)),
    writeContract: of => client.writeContract({ ...z.any().parse(of), account, chain }),
    sendTransaction: of => client.sendTransaction({ ...of, account, chain }),
    waitForTransactionReceipt: ({ hash }) => client.waitForTransactionReceipt({ hash }),
    getCode: of => client.getCode(of),
  })
  const facilitator = new x402Facilitator().register('eip155:97', new ExactEvmScheme(signer))
  const seen: { path: string; body: z.infer<typeof asked> }[] = []
  const sent: Hex[] = []
  let manner: Manner = 'good'
  let late: (() => Promise<unknown>) | undefined
  const app = new Hono()
  const cut = () => new Response(new ReadableStream({ pull: controller => controller.error(new Error('cut')) }))
  app.get('/supported', c => c.json(facilitator.getSupported()))
  app.post('/verify', async c => {
    const body = asked.parse(await c.req.json())
    seen.push({ path: '/verify', body })
    if (manner === 'refuse') return c.json({ isValid: false, invalidReason: 'invalid_payload' })
    return c.json(await facilitator.verify(body.paymentPayload, body.paymentRequirements))
  })
  app.post('/settle', async c => {
    const body = asked.parse(await c.req.json())
    seen.push({ path: '/settle', body })
    const settle = async () => {
      const answer = await facilitator.settle(body.paymentPayload, body.paymentRequirements)
      if (answer.success) sent.push(z.custom<Hex>().parse(answer.transaction))
      return answer
    }
    const failed = { success: false, errorReason: 'unexpected_settle_error', transaction: '', network: 'eip155:97' }
    if (manner === 'lie') return c.json({ ...failed, success: true, transaction: `0x${'ab'.repeat(32)}` })
    if (manner === 'slow') {
      late = settle
      return new Promise<Response>(() => undefined)
    }
    if (manner === 'die') return cut()
    const answer = await settle()
    if (manner === 'deny') return c.json(failed)
    return manner === 'die after' ? cut() : c.json(answer)
  })
  const { http, port } = await listen(app)
  return {
    url: `http://127.0.0.1:${port}`,
    /** The requests that it got, and the transactions that it sent. */
    seen,
    sent,
    behave(next: Manner) {
      manner = next
    },
    /** Sends the transfer that it has put off. */
    sendLate: async () => late?.(),
    stop: () =>
      new Promise<void>(resolve => {
        http.close(() => resolve())
        if ('closeAllConnections' in http) http.closeAllConnections()
      }),
  }
}

export type StockFacilitator = Awaited<ReturnType<typeof startStockFacilitator>>

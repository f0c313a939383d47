import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { uptoProxy } from '../../src/chain/signing/proxies.ts'
import { readPaymentHeader, toHeader, toPaymentRequired } from '../../src/domain/x402/x402.ts'
import { lower, type NodePlace, openOutsider } from './outsider.ts'
import type { Random } from './sim/random.ts'

const price = 20_000n
/** Long enough to charge again after a restart. A purchase that was never charged is followed until then. */
const timeoutS = 60
const againMs = 1_000
/** Where words are charged by use. */
export const usedPath = '/used'
const good = JSON.stringify({ said: 'words' })
const nowhere = `0x${'cd'.repeat(32)}`

type Selling = { charge: () => Promise<string>; payer: string; answer: ServerResponse }

const end = ({ answer, payer }: Selling, status: number, transaction: string) => {
  const receipt = toHeader({ success: true, transaction, network: 'eip155:97', payer })
  answer.writeHead(status, { 'content-type': 'application/json', 'payment-response': receipt }).end(good)
}

/** What a seller does with a payment. All but the first lie about it. */
const manners: Record<string, (of: Selling) => Promise<unknown>> = {
  'charges and delivers': async of => end(of, 200, await of.charge()),
  'charges and refuses': async of => of.charge().then(hash => end(of, 402, hash)),
  'charges and hangs up': async of => of.charge().then(() => of.answer.destroy()),
  'charges, and names another transaction': async of => of.charge().then(() => end(of, 200, nowhere)),
  'delivers, and says that it charged': async of => end(of, 200, nowhere),
  'breaks off': async of => of.answer.destroy(),
}

/**
 * A seller by x402 outside the service, which charges through a node of its own and may lie about it. It sends charges again that a
 * chain has lost because it was killed.
 */
export const startLiar = async ({ random, node }: { random: Random; node: () => NodePlace }) => {
  const seller = openOutsider(privateKeyToAccount(generatePrivateKey()), node)
  const deeds: string[] = []
  const exact = { name: 'eip3009', domain: { name: 'USD Coin', version: '1' } } as const
  const byUse = { name: 'permit2', spender: uptoProxy, facilitator: seller.wallet } as const

  const required = (path: string) => {
    const method = path === usedPath ? byUse : exact
    const of = { url: `${url}${path}`, description: 'Words', chainId: 97, amount: price, timeoutS, method }
    return toHeader(toPaymentRequired({ ...of, asset: lower(node().usdc), payTo: seller.wallet }, 'Pay first.'))
  }
  const serve = async ({ headers, url: path = '' }: IncomingMessage, answer: ServerResponse) => {
    const header = headers['payment-signature']
    const payment = typeof header === 'string' ? readPaymentHeader(header) : undefined
    if (!payment) return answer.writeHead(402, { 'payment-required': required(path) }).end('{}')
    const { authorization, permit } = payment
    // A payment by Permit2 expires minutes later, so it is always charged.
    const [name, sell] = random.pick(Object.entries(manners).filter(it => !permit || it[0].startsWith('charges')))
    const part = random.pick([1n, authorization.value / 3n, authorization.value])
    deeds.push(`seller ${name}${permit ? ' by use' : ''}`)
    const charge = () => (permit ? seller.take(authorization, part) : seller.sendTransfer(authorization))
    return sell({ charge, payer: authorization.from, answer })
  }

  // A node that is down, or a token that refuses a charge again, ends the request.
  const server = createServer((request, answer) => void serve(request, answer).catch(() => answer.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let isSending = false
  const keep = async () => {
    if (isSending) return
    isSending = true
    await seller.sendAgain().catch(() => undefined)
    isSending = false
  }
  const keeping = setInterval(() => void keep(), againMs)
  const bound = server.address()
  const url = `http://127.0.0.1:${bound && typeof bound === 'object' ? bound.port : ''}`
  return {
    url,
    deeds,
    async stop() {
      clearInterval(keeping)
      server.closeAllConnections()
      server.close()
    },
  }
}

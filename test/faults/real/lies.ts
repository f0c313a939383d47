import { setTimeout as pause } from 'node:timers/promises'
import { toHex } from 'viem'
import { z } from 'zod'
import type { Answer, Meddling, Question, Reply } from './rpcProxy.ts'

const sending = 'eth_sendRawTransaction'
const touching =
  (...methods: string[]) =>
  ({ method }: Question) =>
    methods.includes(method)
const anything = () => true
export const refusal = (message: string, code = -32_000): Answer => ({ error: { code, message } })

/** Replaces the response, whatever the node would answer. */
const saying = (reply: Reply, times: number, ...methods: string[]): Meddling => ({
  times,
  touches: methods.length === 0 ? anything : touching(...methods),
  reply: async () => reply,
})

const late = (ms: number, times: number, touches: Meddling['touches']): Meddling => ({
  times,
  touches,
  async reply(question, forward) {
    const answer = await forward(question)
    await pause(ms)
    return answer
  },
})

const range = z.object({ fromBlock: z.string(), toBlock: z.string() })
const isWide = ({ params: [filter] }: Question) => {
  const asked = range.safeParse(filter)
  return asked.success && (asked.data.toBlock === 'latest' || BigInt(asked.data.toBlock) > BigInt(asked.data.fromBlock))
}

const blocksBehind = 4n
/** Answers requests for the newest block with an older one. */
const oldHead: Meddling = {
  times: 60,
  touches: touching('eth_blockNumber', 'eth_getBlockByNumber', 'eth_getTransactionCount', 'eth_getTransactionReceipt'),
  async reply({ method, params }, forward) {
    const { result } = await forward({ method: 'eth_blockNumber', params: [] })
    const head = BigInt(z.string().parse(result)) - blocksBehind
    if (method === 'eth_blockNumber') return { result: toHex(head) }
    const answer = await forward({ method, params: params.map(it => (it === 'latest' ? toHex(head) : it)) })
    const mined = z.object({ blockNumber: z.string() }).safeParse(answer.result)
    return method === 'eth_getTransactionReceipt' && mined.success && BigInt(mined.data.blockNumber) > head
      ? { result: null }
      : answer
  },
}

const nowhere = `0x${'ab'.repeat(32)}`
/** Answers receipt requests with success in an unknown block. */
const receipt: Meddling = {
  times: 8,
  touches: touching('eth_getTransactionReceipt'),
  async reply(question, forward) {
    const answer = await forward(question)
    if (answer.result !== null) return answer
    const { result: newest } = await forward({ method: 'eth_blockNumber', params: [] })
    const made = { transactionHash: question.params[0], blockHash: nowhere, blockNumber: newest, transactionIndex: '0x0' }
    const zero = { from: `0x${'00'.repeat(20)}`, to: null, cumulativeGasUsed: '0x0', gasUsed: '0x0', effectiveGasPrice: '0x0' }
    return { result: { ...made, ...zero, status: '0x1', type: '0x2', logs: [], logsBloom: '0x', contractAddress: null } }
  },
}

/** Sends the request twice and returns one response. */
const twice: Meddling = {
  times: 4,
  touches: touching(sending),
  async reply(question, forward) {
    await forward(question)
    return forward(question)
  },
}

const doubledLogs: Meddling = {
  times: 8,
  touches: touching('eth_getLogs'),
  async reply(question, forward) {
    const answer = await forward(question)
    const logs = z.array(z.unknown()).safeParse(answer.result)
    return logs.success ? { result: [...logs.data, ...logs.data] } : answer
  },
}

const thenSaying = (reply: Reply): Meddling => ({
  times: 3,
  touches: touching(sending),
  async reply(question, forward) {
    await forward(question)
    return reply
  },
})

type Lie = { kind: number; name: string; meddling: () => Meddling }

/** Faults between the service and a node, by their numbers in the fault matrix. */
export const lies: readonly Lie[] = [
  { kind: 19, name: 'answers after 1.5 s', meddling: () => late(1_500, 8, anything) },
  { kind: 19, name: 'answer to sent bytes later than anyone waits', meddling: () => late(11_000, 1, touching(sending)) },
  { kind: 19, name: '502 with a page of HTML', meddling: () => saying({ status: 502, words: '<h1>Bad gateway</h1>' }, 12) },
  { kind: 20, name: 'the same log twice', meddling: () => ({ ...doubledLogs }) },
  { kind: 21, name: 'connection cut before sending', meddling: () => saying('cut', 4, sending) },
  { kind: 21, name: 'connection cut after sending', meddling: () => thenSaying('cut') },
  { kind: 21, name: 'any connection cut', meddling: () => saying('cut', 10) },
  { kind: 22, name: 'receipt of a transaction that was not mined', meddling: () => ({ ...receipt }) },
  { kind: 22, name: 'no coin for gas where there is some', meddling: () => saying({ result: '0x0' }, 4, 'eth_getBalance') },
  { kind: 22, name: 'a head that does not exist', meddling: () => saying({ result: '0xffffff' }, 6, 'eth_blockNumber') },
  { kind: 23, name: 'the same bytes sent twice', meddling: () => ({ ...twice }) },
  { kind: 23, name: '"already known" of bytes that it dropped', meddling: () => saying(refusal('already known'), 2, sending) },
  { kind: 23, name: '"nonce too low" of bytes that it took', meddling: () => thenSaying(refusal('nonce too low')) },
  { kind: 23, name: '"nonce too low" of bytes that it dropped', meddling: () => saying(refusal('nonce too low'), 2, sending) },
  {
    kind: 23,
    name: '"replacement transaction underpriced" of bytes that it dropped',
    meddling: () => saying(refusal('replacement transaction underpriced'), 2, sending),
  },
  { kind: 24, name: 'an old head', meddling: () => ({ ...oldHead }) },
  { kind: 24, name: 'receipts withheld', meddling: () => saying({ result: null }, 12, 'eth_getTransactionReceipt') },
  { kind: 25, name: '429', meddling: () => saying({ status: 429, words: 'slow down' }, 15) },
  { kind: 25, name: 'rate limit as an error', meddling: () => saying(refusal('limit exceeded', -32_005), 15) },
  {
    kind: 25,
    name: 'ranges of logs refused',
    meddling: () => ({
      times: 10,
      touches: it => it.method === 'eth_getLogs' && isWide(it),
      reply: async () => refusal('query exceeds max block range'),
    }),
  },
]

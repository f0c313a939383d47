import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { createPublicClient, HttpRequestError, LimitExceededRpcError, TimeoutError } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { localTransport } from '../../src/chain/rpc/localTransport.ts'

const call = z.object({ id: z.number(), method: z.string() })
const calls = z.union([call.transform(it => [it]), z.array(call)])

const bodies: string[][] = []
const sockets = new Set<unknown>()
const respond = async (asked: IncomingMessage): Promise<string | undefined> => {
  sockets.add(asked.socket)
  const read = calls.parse(JSON.parse(await text(asked)))
  bodies.push(read.map(it => it.method))
  const [first] = read
  if (first?.method === 'eth_gasPrice') return 'the node is starting'
  if (first?.method === 'eth_blobBaseFee') return undefined
  const answers = read.map(({ id, method }) =>
    method === 'eth_chainId' ? { id, result: '0x61' } : { id, error: { code: -32005, message: 'too many' } },
  )
  return JSON.stringify(answers.length === 1 ? answers[0] : answers.toReversed())
}
const server = createServer(async (asked, answer) => {
  const said = await respond(asked)
  if (said !== undefined) answer.end(said)
})

let url = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
})
beforeEach(() => {
  bodies.length = 0
  sockets.clear()
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const open = (timeoutMs = 10_000) => createPublicClient({ transport: localTransport({ url, timeoutMs, retryCount: 0 }) })

test('requests of one turn go to the node as one batch, and each gets its own answer or error', async () => {
  const node = open()
  const [chainId, number] = await Promise.allSettled([node.getChainId(), node.getBlockNumber()])
  expect(chainId).toEqual({ status: 'fulfilled', value: 97 })
  expect(number).toMatchObject({ status: 'rejected', reason: expect.any(LimitExceededRpcError) })
  expect(await node.getChainId()).toBe(97)
  expect(bodies).toEqual([['eth_chainId', 'eth_blockNumber'], ['eth_chainId']])
  expect(sockets.size).toBe(1)
})

test('a node that answers with other text, too late or not at all fails with the errors of viem', async () => {
  await expect(open().getGasPrice()).rejects.toThrow(HttpRequestError)
  await expect(open(20).getBlobBaseFee()).rejects.toThrow(TimeoutError)
  const gone = createPublicClient({ transport: localTransport({ url: 'http://127.0.0.1:9', timeoutMs: 1_000, retryCount: 0 }) })
  await expect(gone.getChainId()).rejects.toThrow(HttpRequestError)
})

import { http } from 'viem'

/** One JSON-RPC question to the embedded node; the answer is unchecked. Rejects with viem's RPC and transport errors. */
export type Ask = (method: string, ...params: unknown[]) => Promise<unknown>

/** Dumping a long history takes seconds, and is larger than a client takes from strangers. */
const timeoutMs = 60_000

/** Questions to a node beyond what a chain adapter needs: mining, time, state dumps. */
export const createAsk = (url: string): Ask => {
  const { request } = http(url, { retryCount: 0, timeout: timeoutMs, maxResponseBodySize: false })({})
  return (method, ...params) => request({ method, params })
}

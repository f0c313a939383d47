import { minuteMs } from '../../../domain/durations.ts'
import { localTransport } from '../../rpc/localTransport.ts'

/**
 * Sends one JSON-RPC request to the embedded node and returns the unchecked answer. Rejects with viem's RPC and transport
 * errors.
 */
export type Ask = (method: string, ...params: unknown[]) => Promise<unknown>

/** Dumping a long history takes seconds. */
const timeoutMs = minuteMs

/** JSON-RPC requests that only the embedded chain needs: mining, time and state dumps. */
export const createAsk = (url: string): Ask => {
  const { request } = localTransport({ url, retryCount: 0, timeoutMs })({})
  return (method, ...params) => request({ method, params })
}

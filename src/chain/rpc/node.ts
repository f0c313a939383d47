import {
  BaseError,
  createPublicClient,
  HttpRequestError,
  http,
  LimitExceededRpcError,
  type PublicClient,
  TimeoutError,
} from 'viem'
import { Problem } from '../../domain/problem.ts'

export type Node = PublicClient

const timeoutMs = 10_000

type NodeOptions = {
  rpcUrl: string
  fetch?: typeof globalThis.fetch | undefined
  /** Sends concurrent requests as one JSON-RPC batch. Some public nodes do not support that. */
  batch?: boolean | undefined
}

/** A client for a JSON-RPC node. Nothing is cached, because every answer holds for one block only. */
export const createNode = ({ rpcUrl, fetch, batch = false }: NodeOptions): Node =>
  createPublicClient({
    transport: http(rpcUrl, { timeout: timeoutMs, retryCount: 1, batch, ...(fetch && { fetchFn: fetch }) }),
    cacheTime: 0,
  })

/**
 * Awaits a request to the node. Errors other than the one below pass unchanged.
 * @throws Problem chain-unavailable when the node was not reached or is overloaded
 */
export const answered = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer
  } catch (error) {
    throw isSilence(error) ? new Problem('chain-unavailable') : error
  }
}

/** Like `answered`, but returns undefined when viem throws the given not-found error. */
export const answeredOrNone = async <T>(answer: Promise<T>, none: new (...args: never[]) => Error): Promise<T | undefined> => {
  try {
    return await answered(answer)
  } catch (error) {
    if (error instanceof none) return undefined
    throw error
  }
}

const isSilence = (error: unknown): boolean =>
  error instanceof Problem ||
  (error instanceof BaseError &&
    error.walk(
      cause =>
        cause instanceof Problem ||
        cause instanceof HttpRequestError ||
        cause instanceof TimeoutError ||
        cause instanceof LimitExceededRpcError,
    ) !== null)

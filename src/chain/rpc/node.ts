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
import { localTransport } from './localTransport.ts'

export type Node = PublicClient

const timeoutMs = 10_000

type NodeOptions = {
  rpcUrl: string
  /** Resolves when the node answers. It is given for the embedded node, which is on this machine and supports batches. */
  ready?: (() => Promise<void>) | undefined
}

/** A client for a JSON-RPC node. Nothing is cached, because every answer holds for one block only. */
export const createNode = ({ rpcUrl, ready }: NodeOptions): Node =>
  createPublicClient({
    transport: ready
      ? localTransport({ url: rpcUrl, timeoutMs, retryCount: 1, ready })
      : http(rpcUrl, { timeout: timeoutMs, retryCount: 1 }),
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

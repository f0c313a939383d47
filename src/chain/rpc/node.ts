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
  /** Questions of one moment go out together; not every public node takes that. */
  batch?: boolean | undefined
}

/** A chain's node behind its JSON-RPC address. Nothing is cached: what a chain says is true for one block. */
export const createNode = ({ rpcUrl, fetch, batch = false }: NodeOptions): Node =>
  createPublicClient({
    transport: http(rpcUrl, { timeout: timeoutMs, retryCount: 1, batch, ...(fetch && { fetchFn: fetch }) }),
    cacheTime: 0,
  })

/** The answer; Problem chain-unavailable when the node was not reached or is overrun. Other errors pass. */
export const answered = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer
  } catch (error) {
    throw isSilence(error) ? new Problem('chain-unavailable') : error
  }
}

/** As `answered`, with undefined for viem's error that says "there is none". */
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

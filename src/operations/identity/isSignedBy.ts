import { isProduction } from '../../domain/chains/chains.ts'
import { secondMs } from '../../domain/durations.ts'
import type { Address, Hex } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import { type Caller, type Deps, servesRealMoney } from '../operation.ts'
import { createTurns } from '../turns.ts'

/** A signature of a wallet that deploys itself (ERC-6492) has some thousand digits. */
const longestChars = 20_000
/** What a question to a chain counts, because it costs the node more than this process. */
const questionMs = 50
const answerMs = secondMs
/** Strangers can make this service ask a chain, so each network address has few questions under way. */
const turns = createTurns({ atOnce: 2, waiting: 50 })

type Signed = {
  wallet: Address
  message: string
  signature: Hex
  /** The chain that the text names; of texts that name none, the chain of the request. */
  chainId: number
}

/**
 * Whether a wallet signed a text: with its key (EIP-191), or by its code on the chain of the text (ERC-1271, ERC-6492). Where
 * real money is served, code on a test chain decides nothing.
 * @throws Problem chain-unavailable, busy
 */
export const isSignedBy = async (signed: Signed, deps: Deps, caller: Caller): Promise<boolean> => {
  const { wallet, message, signature, chainId } = signed
  if ((await deps.recoverSigner(message, signature)) === wallet) return true
  const accepts = deps.chains.get(chainId)?.acceptsSignature
  if (!accepts || signature.length > longestChars) return false
  if (servesRealMoney(deps) && !isProduction(chainId)) return false
  caller.charge?.(questionMs)
  const source = caller.source ?? 'this machine'
  return inTime(turns.take(source, AbortSignal.timeout(answerMs), () => accepts({ wallet, message, signature })))
}

/** A node that is still busy keeps its place in the line of the caller, who no longer waits for it. */
const inTime = async <T>(answer: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Problem('chain-unavailable')), answerMs)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

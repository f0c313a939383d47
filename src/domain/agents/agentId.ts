import { type Address, toWallet } from '../hex.ts'

/** An agent's full id: `<chain_id>:<registry_address>:<number>`, registry in lower case (specification, Agent id). */
export type AgentId = string

export const toAgentId = (chainId: number, registry: Address, number: bigint): AgentId => `${chainId}:${registry}:${number}`

// The number of digits that a JSON number, or a uint256, can hold.
const chainDigits = /^\d{1,15}$/
const tokenDigits = /^\d{1,78}$/

/** The parts of a full id in any letter case; undefined for handles and other short forms. */
export const parseAgentId = (text: string) => {
  const [chain = '', registry = '', number = '', ...rest] = text.split(':')
  const wallet = toWallet(registry)
  if (rest.length > 0 || !wallet || !chainDigits.test(chain) || !tokenDigits.test(number)) return undefined
  return { chainId: Number(chain), registry: wallet, number: BigInt(number), id: `${Number(chain)}:${wallet}:${BigInt(number)}` }
}

/** The handle in `erc8004:<handle>`, `<chain>:erc8004:<handle>` or a bare handle, with the chain when it was named. */
export const parseHandle = (text: string): { handle: string; chainId?: number } => {
  const named = /^(?:(\d+):)?erc8004:(.+)$/.exec(text)
  if (!named?.[2]) return { handle: text }
  return named[1] ? { handle: named[2], chainId: Number(named[1]) } : { handle: named[2] }
}

const idPhrase = /\bagent id:?\s*\S{3,200}(?:\s*(?:--|—|-))?(?:\s+|$)/i
/** A message without the tag of an agent in it. */
export const withoutHireTag = (message: string): string => message.replace(idPhrase, '')

/** The tag inside hire prompts: `Agent Id: <handle>##<full id>`. */
export const toHireTag = (handle: string, id: AgentId) => `Agent Id: ${handle}##${id}`

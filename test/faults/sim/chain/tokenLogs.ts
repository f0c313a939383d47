import { type Hex as Bytes, encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { type Address, type Hex, hex } from '../../../../src/domain/hex.ts'

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
])

/** An event of the modelled USDC, which has those of EIP-20 and EIP-3009. Amounts in atomic units. */
export type TokenLog =
  | { name: 'Transfer'; from: Address; to: Address; amount: bigint }
  | { name: 'AuthorizationUsed' | 'AuthorizationCanceled'; authorizer: Address; nonce: Hex }

const toTopics = (log: TokenLog) =>
  log.name === 'Transfer'
    ? encodeEventTopics({ abi, eventName: 'Transfer', args: { from: log.from, to: log.to } })
    : encodeEventTopics({ abi, eventName: log.name, args: { authorizer: log.authorizer, nonce: log.nonce } })

/** An event as a node answers it. */
export const encodeLog = (log: TokenLog): { topics: Hex[]; data: Hex } => ({
  topics: toTopics(log).flatMap((it: Bytes | Bytes[] | null) => (typeof it === 'string' ? [hex.parse(it)] : [])),
  data: log.name === 'Transfer' ? encodeAbiParameters([{ type: 'uint256' }], [log.amount]) : '0x',
})

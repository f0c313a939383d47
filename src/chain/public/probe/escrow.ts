import { BaseError, toFunctionSelector, zeroAddress } from 'viem'
import { getAbiItem } from 'viem/utils'
import type { Address, Hex } from '../../../domain/hex.ts'
import { jobEscrowAbi } from '../../contracts/artifacts/JobEscrow.ts'
import { dialectOf } from '../../reading/dialects.ts'
import { lower } from '../../rpc/checksum.ts'
import { answeredOrNone, type Node } from '../../rpc/node.ts'
import type { HirePath } from '../../signing/policy.ts'
import type { ChainSettings } from '../chainConfigs.ts'
import { codeBehind, hasFunction } from './runtimeCode.ts'

type EscrowProbe = { finding?: string; feeBps: number; feeReceiver: Address; returnsUnused: boolean }

const unusedSelector = toFunctionSelector(getAbiItem({ abi: jobEscrowAbi, name: 'completeUsed' }))
/** Whether the code of an escrow can return the unused part of a budget. Escrows of earlier releases cannot. */
export const returnsUnusedIn = (code: Hex): boolean => hasFunction(code, unusedSelector)

/** The JobEscrow function that each hire path calls. */
const hireSelectors: Record<HirePath, Hex> = {
  authorization: toFunctionSelector(getAbiItem({ abi: jobEscrowAbi, name: 'createAndFundWithAuthorization' })),
  allowance: toFunctionSelector(getAbiItem({ abi: jobEscrowAbi, name: 'createAndFund' })),
}

type Escrow = { settings: ChainSettings; escrow: Address; hirePath: HirePath }

/** Checks that this build can hire through the escrow and that the escrow pays in the configured token. */
export const probeEscrow = async ({ settings, escrow, hirePath }: Escrow, node: Node): Promise<EscrowProbe> => {
  const nothing = { feeBps: 0, feeReceiver: lower(zeroAddress), returnsUnused: false }
  const name = `The escrow at ${escrow} (ESCROW_${settings.chainId})`
  const code = await codeBehind(node, escrow)
  if (!hasFunction(code, hireSelectors[hirePath])) return { ...nothing, finding: `${name} ${foreignWords(code)}` }

  const contract = { address: escrow, abi: jobEscrowAbi } as const
  const [token, feeBps, treasury] = await Promise.all([
    answeredOrNone(node.readContract({ ...contract, functionName: 'paymentToken' }), BaseError),
    answeredOrNone(node.readContract({ ...contract, functionName: 'feeBps' }), BaseError),
    answeredOrNone(node.readContract({ ...contract, functionName: 'treasury' }), BaseError),
  ])
  if (token === undefined || feeBps === undefined || treasury === undefined)
    return { ...nothing, finding: `${name} does not return its token, fee and treasury as a JobEscrow does.` }
  const facts = { feeBps, feeReceiver: lower(treasury), returnsUnused: returnsUnusedIn(code) }
  if (lower(token) === settings.usdc.address) return facts
  return { ...facts, finding: `${name} pays in ${lower(token)}, not in the USDC ${settings.usdc.address}.` }
}

const foreignWords = (code: Hex): string => {
  const dialect = dialectOf(code)
  const other = dialect ? `implements ERC-8183 dialect ${dialect.name} (${dialect.from})` : 'implements no known ERC-8183 dialect'
  return `${other}. This service hires only through its own JobEscrow: deploy one and configure its address.`
}

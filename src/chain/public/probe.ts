import { BaseError } from 'viem'
import type { Address } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import { answered, answeredOrNone, type Node } from '../rpc/node.ts'
import type { HirePath, Registrar } from '../signing/policy.ts'
import type { ChainSettings } from './chainConfigs.ts'
import { probeEscrow } from './probe/escrow.ts'
import { probePermit, probeUpto } from './probe/permit.ts'
import { probeRegistry } from './probe/registry.ts'
import { codeBehind } from './probe/runtimeCode.ts'
import { probeToken } from './probe/token.ts'

export type ChainFacts = {
  usdcDecimals: number
  hirePath: HirePath
  registrar: Registrar
  /** Whether Permit2 and the proxy of x402 are deployed: the one for the scheme `exact`, and the one for `upto`. */
  takesPermits: boolean
  takesUpto: boolean
  feeBps: number
  feeReceiver: Address
  /** Whether the escrow can return the unused part of a budget. */
  returnsUnused: boolean
}

/** Either the facts, or the reasons why the chain cannot be served, one plain sentence each. */
export type Probe = { facts: ChainFacts } | { findings: string[] }

/** Checks that a chain matches its settings. It only reads, and it returns findings instead of throwing. */
export const probeChain = async (settings: ChainSettings, node: Node): Promise<Probe> => {
  try {
    return await probe(settings, node)
  } catch (error) {
    if (error instanceof Problem) return { findings: [`The node behind RPC_URL_${settings.chainId} does not answer.`] }
    throw error
  }
}

const probe = async (settings: ChainSettings, node: Node): Promise<Probe> => {
  const { chainId, escrow } = settings
  const answers = await answeredOrNone(node.getChainId(), BaseError)
  if (answers !== chainId)
    return { findings: [`The node behind RPC_URL_${chainId} serves chain ${answers ?? 'without an id'}, not chain ${chainId}.`] }
  if (!escrow) {
    const words = 'clients know no ERC-8183 escrow there, so nothing could be hired'
    return { findings: [`On ${settings.name} ${words}; deploy a JobEscrow and set ESCROW_${chainId}.`] }
  }
  const findings = await findEmpty(settings, escrow, node)
  if (findings.length > 0) return { findings }
  return probeContracts(settings, escrow, node)
}

const findEmpty = async ({ chainId, usdc, registry }: ChainSettings, escrow: Address, node: Node): Promise<string[]> => {
  const places = [
    ['ESCROW', escrow],
    ['USDC', usdc.address],
    ['REGISTRY', registry],
  ] as const
  const codes = await Promise.all(places.map(([, address]) => answered(node.getCode({ address }))))
  return places.flatMap(([name, address], index) =>
    codes[index] ? [] : [`There is no contract at ${address} on chain ${chainId}; set ${name}_${chainId} to the right one.`],
  )
}

const probeContracts = async (settings: ChainSettings, escrow: Address, node: Node): Promise<Probe> => {
  const token = await probeToken(settings, node)
  const [contract, registry] = await Promise.all([
    probeEscrow({ settings, escrow, hirePath: token.hirePath }, node),
    probeRegistry(settings, await codeBehind(node, settings.registry)),
  ])
  const findings = [token.finding, contract.finding, registry.finding].filter(it => it !== undefined)
  if (findings.length > 0) return { findings }
  const { usdcDecimals, hirePath } = token
  const [takesPermits, takesUpto] = await Promise.all([probePermit(node), probeUpto(node)])
  const { feeBps, feeReceiver, returnsUnused } = contract
  const ofEscrow = { feeBps, feeReceiver, returnsUnused }
  return { facts: { usdcDecimals, hirePath, registrar: registry.registrar, takesPermits, takesUpto, ...ofEscrow } }
}

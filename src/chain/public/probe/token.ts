import { BaseError, domainSeparator, zeroAddress, zeroHash } from 'viem'
import { testUsdcAbi } from '../../contracts/artifacts/TestUsdc.ts'
import { answeredOrNone, type Node } from '../../rpc/node.ts'
import type { HirePath } from '../../signing/policy.ts'
import type { ChainSettings } from '../chainConfigs.ts'

type TokenProbe = { finding?: string | undefined; usdcDecimals: number; hirePath: HirePath }

/** Reads the token's decimals, and whether it accepts EIP-3009 authorizations under an EIP-712 domain that we can sign for. */
export const probeToken = async (settings: ChainSettings, node: Node): Promise<TokenProbe> => {
  const answers = await askToken(settings, node)
  const usdcDecimals = answers.decimals ?? 0
  const hirePath = answers.takesAuthorizations ? 'authorization' : 'allowance'
  return { usdcDecimals, hirePath, finding: wrongDecimals(settings, answers) ?? wrongDomain(settings, answers) }
}

const askToken = async ({ usdc: { address } }: ChainSettings, node: Node) => {
  const token = { address, abi: testUsdcAbi } as const
  const [decimals, used, name, version, separator] = await Promise.all([
    answeredOrNone(node.readContract({ ...token, functionName: 'decimals' }), BaseError),
    answeredOrNone(node.readContract({ ...token, functionName: 'authorizationState', args: [zeroAddress, zeroHash] }), BaseError),
    answeredOrNone(node.readContract({ ...token, functionName: 'name' }), BaseError),
    answeredOrNone(node.readContract({ ...token, functionName: 'version' }), BaseError),
    answeredOrNone(node.readContract({ ...token, functionName: 'DOMAIN_SEPARATOR' }), BaseError),
  ])
  return { decimals, takesAuthorizations: used !== undefined, name, version, separator }
}
type Answers = Awaited<ReturnType<typeof askToken>>

const tokenName = ({ chainId, usdc }: ChainSettings) => `The token at ${usdc.address} (USDC_${chainId})`

const wrongDecimals = (settings: ChainSettings, { decimals }: Answers): string | undefined => {
  const expected = settings.usdc.decimals
  if (decimals === undefined) return `${tokenName(settings)} does not return its decimals, so it is not USDC.`
  if (expected !== undefined && decimals !== expected)
    return `${tokenName(settings)} has ${decimals} decimals instead of ${expected}, so every amount would be wrong.`
}

/** The token refuses signatures made for another domain, and that would only show after a hire was accepted. */
const wrongDomain = (settings: ChainSettings, { takesAuthorizations, name, version, separator }: Answers): string | undefined => {
  const { chainId, usdc } = settings
  if (!takesAuthorizations)
    return (
      usdc.domain && `${tokenName(settings)} does not support EIP-3009 authorizations, but the USDC of ${settings.name} does.`
    )
  if (name === undefined || version === undefined || separator === undefined)
    return `${tokenName(settings)} supports EIP-3009 but does not return its EIP-712 domain, so nothing can be signed for it.`
  const { domain = { name, version } } = usdc
  const told = `"${name}" version "${version}"`
  if (domain.name !== name || domain.version !== version)
    return `${tokenName(settings)} has the EIP-712 domain ${told}, not "${domain.name}" version "${domain.version}".`
  const computed = domainSeparator({ domain: { name, version, chainId, verifyingContract: usdc.address } })
  if (computed !== separator)
    return `${tokenName(settings)} returns the EIP-712 domain ${told}, but its DOMAIN_SEPARATOR belongs to another domain.`
}

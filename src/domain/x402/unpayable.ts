import { z } from 'zod'
import type { Address } from '../hex.ts'
import { isNetwork, schemes } from './x402.ts'

// Why a 402 answer cannot be paid here, in words that name what the seller asks for.

const word = /^[\w.:-]{1,60}$/
/** A name of the seller's protocol; the texts of strangers are not repeated. */
const named = z.string().regex(word)
const wanted = z
  .looseObject({
    scheme: named,
    network: named,
    asset: z.string().catch(''),
    extra: z
      .looseObject({ name: z.string().catch('') })
      .nullish()
      .catch(undefined),
  })
  .transform(({ scheme, network, asset }) => ({ scheme, network, asset: word.test(asset) ? asset : '' }))

const isSpoken = (scheme: string): boolean => schemes.some(it => it === scheme)

/** Ways to pay that a text names. */
const namedWays = 3

/**
 * Explains why none of a seller's ways to pay fits, with their schemes, networks and tokens.
 * @param accepts the members of `accepts` in the answer, from a stranger
 */
export const toUnfitText = (accepts: unknown[], { chainId, asset }: { chainId: number; asset: Address }): string => {
  const ways = accepts.flatMap(it => wanted.safeParse(it).data ?? [])
  const own = `It does not accept a signed transfer of the USDC ${asset} on chain ${chainId}.`
  const others = [...new Set(ways.map(it => it.scheme))].filter(it => !isSpoken(it))
  const isOther = others.length > 0 && ways.every(it => !isSpoken(it.scheme))
  const listed = [...new Set(ways.map(it => `${it.scheme} on ${it.network}${it.asset && ` in ${it.asset}`}`))]
  const asks =
    listed.length > 0
      ? `It asks for ${listed.slice(0, namedWays).join(', ')}${listed.length > namedWays ? ' and more' : ''}.`
      : ''
  const scheme = isOther ? `The scheme ${others.slice(0, namedWays).join(', ')} is not supported here; exact and upto are.` : ''
  return [scheme || own, asks].filter(Boolean).join(' ')
}

/** Explains a 402 answer without requirements of x402. @param challenge value of WWW-Authenticate */
export const toUnreadText = (challenge: string | undefined): string => {
  if (challenge === undefined || !/(?:^|,)\s*Payment\s/i.test(challenge)) return 'Its answer 402 does not follow x402.'
  const [, method] = /\bmethod="([\w.:-]{1,60})"/i.exec(challenge) ?? []
  const [, intent] = /\bintent="([\w.:-]{1,60})"/i.exec(challenge) ?? []
  const way = [method && `method ${method}`, intent && `intent ${intent}`].filter(Boolean).join(', ')
  return (
    `It asks for a payment by MPP (WWW-Authenticate: Payment${way && `, ${way}`}), which is not supported here; ` +
    'only x402 with the schemes exact and upto is.'
  )
}

type Spoken = { chainId: number; asset: Address; hasUpto: boolean }

/**
 * Names what a seller asks for and what is not spoken here: its schemes, chains or tokens.
 * @param accepts the members of `accepts`, from a stranger
 */
export const toUnspoken = (accepts: unknown[], tills: Spoken[]): string => {
  const names = accepts.flatMap(it => {
    const { data } = wanted.safeParse(it)
    return data ? [toUnspokenName(data, tills)] : []
  })
  return [...new Set(names)].slice(0, namedWays).join(', ') || 'no way to pay that follows x402'
}

const toUnspokenName = ({ scheme, network, asset }: z.infer<typeof wanted>, tills: Spoken[]): string => {
  if (!isSpoken(scheme)) return `scheme ${scheme}`
  const own = tills.filter(it => isNetwork(network, it.chainId))
  if (own.length === 0) return `chain ${network}`
  if (scheme === 'upto' && !own.some(it => it.hasUpto)) return `scheme upto on ${network}`
  if (!own.some(it => it.asset === asset.toLowerCase())) return `token ${asset} on ${network}`
  return 'terms that do not fit the token'
}

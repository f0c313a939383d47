import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import { jsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { fixedTexts } from '../../domain/net/wireTexts.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain, TypedText } from '../../ports.ts'

const signIn = 'wants you to sign in with'
/** Normalises a text as a reader sees it: lower case, look-alike characters folded, single spaces. */
const plain = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').toLowerCase()

/** Only visible characters, so that the text cannot be a hash or contain hidden differences. */
const readable = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\n]+$/u
/** A text of 32 bytes is refused, because it could be a hash chosen so that all its bytes are printable. */
const hashBytes = 32

/**
 * Checks a text before a client's wallet signs it. It must be readable and must not be a sign-in or a fixed text of this
 * service. EIP-4361 texts of any host and bytes are refused.
 * @throws Problem signing-refused
 */
export const checkText = (text: string): void => {
  if (text.length > limits.signedTextChars || !readable.test(text) || /^\s*0x[0-9a-f]*\s*$/i.test(text))
    throw new Problem(
      'signing-refused',
      `Only readable text of at most ${limits.signedTextChars} characters is signed, never bytes.`,
    )
  if (Buffer.byteLength(text) === hashBytes) throw new Problem('signing-refused', 'A text of exactly 32 bytes could be a hash.')
  const said = plain(text)
  if ([signIn, ...fixedTexts].some(it => said.includes(plain(it))))
    throw new Problem('signing-refused', 'A text that signs in or registers is never signed.')
}

const field = z.object({ name: z.string().max(100), type: z.string().max(200) })
const typed = z.object({
  domain: jsonObject,
  types: z.record(z.string().max(100), z.array(field).max(50)),
  primaryType: z.string().max(100),
  message: jsonObject,
})
const verifier = z.object({
  chainId: z.union([z.number(), z.string().regex(/^\d{1,15}$/)]).transform(Number),
  verifyingContract: z
    .string()
    .transform(it => it.toLowerCase())
    .pipe(address),
})

/** Names that tokens and markets use for permissions to move money (EIP-2612, EIP-3009, Permit2, orders, safes). */
const movesMoney = /permit|transfer|authori[sz]|approv|allow|order|withdraw|safe|execut|delegat|bid|payment/i
/** Members of a domain type (EIP-712). A type without the checked ones would sign a domain without them. */
const domainTypes = { name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address', salt: 'bytes32' }
const isDomainType = (fields: z.infer<typeof field>[]): boolean =>
  fields.every(({ name, type }, at) => domainType(name) === type && fields.findIndex(it => it.name === name) === at) &&
  ['chainId', 'verifyingContract'].every(name => fields.some(it => it.name === name))
const domainType = (name: string) => Object.entries(domainTypes).find(([known]) => known === name)?.[1]
const moneyMembers = ['value', 'amount', 'spender', 'allowed', 'wad']

/**
 * Typed data must name a served chain and a contract outside this market, and must not look like a payment. A client's wallet
 * pays only through the escrow, with a recorded consent.
 * @throws Problem signing-refused, invalid-input
 */
export const checkTyped = (given: unknown, chain: Chain): TypedText => {
  const parsed = typed.safeParse(given)
  if (!parsed.success)
    throw new Problem('invalid-input', 'typed_data must have domain, types, primaryType and message.', '/params')
  const it = parsed.data
  const domain = verifier.safeParse(it.domain)
  if (!domain.success || domain.data.chainId !== chain.chainId)
    throw new Problem('signing-refused', 'The domain must name the chain of the request and a verifying contract.')
  if (Object.values(chain.addresses).some(ours => ours === domain.data.verifyingContract))
    throw new Problem(
      'signing-refused',
      'Typed data for the USDC token, the escrow or a registry of this market is not signed on request.',
    )
  if (it.types.EIP712Domain && !isDomainType(it.types.EIP712Domain))
    throw new Problem(
      'signing-refused',
      'A custom EIP712Domain must only have members of EIP-712, including uint256 chainId and address verifyingContract.',
    )
  const named = Object.entries(it.types).flatMap(([name, fields]) => [name, ...fields.map(each => each.type)])
  const members = Object.values(it.types).flatMap(fields => fields.map(each => each.name.toLowerCase()))
  if (named.some(name => movesMoney.test(name)) || moneyMembers.some(name => members.includes(name)))
    throw new Problem('signing-refused', 'Typed data that can move money is not signed on request.')
  // As a number, because a domain type generated from the members would omit a chain id given as text.
  return { ...it, domain: { ...it.domain, chainId: domain.data.chainId } }
}

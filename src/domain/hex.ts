import { z } from 'zod'

/** Bytes as text: 0x and an even number of digits. */
export type Hex = `0x${string}`
/** A 20-byte address in lower case. The checksum form is used only in output for people and old clients. */
export type Address = Hex

const isHex = (text: string): text is Hex => /^0x[0-9a-f]*$/i.test(text)
const isAddress = (text: string): text is Address => /^0x[0-9a-f]{40}$/.test(text)

export const hex = z.custom<Hex>(value => typeof value === 'string' && isHex(value), 'must be 0x and hex digits')
export const address = z.custom<Address>(
  value => typeof value === 'string' && isAddress(value),
  'must be 0x and 40 lower-case digits',
)

/** The wallet of callers without a token. It has no private key, so no one can authenticate as it. */
export const nobody: Address = `0x${'0'.repeat(40)}`

/** Reads a wallet from `user:0xAbC…` or `0xAbC…` in any letter case; undefined for other texts. */
export const toWallet = (text: string): Address | undefined => {
  const bare = text.replace(/^user:/i, '').toLowerCase()
  return isAddress(bare) ? bare : undefined
}

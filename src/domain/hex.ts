import { z } from 'zod'

/** Bytes as text: 0x and an even number of digits. */
export type Hex = `0x${string}`
/** A 20-byte account in lower case. The checksum form exists only where a person or an old client wants to see it. */
export type Address = Hex

const isHex = (text: string): text is Hex => /^0x[0-9a-f]*$/i.test(text)
const isAddress = (text: string): text is Address => /^0x[0-9a-f]{40}$/.test(text)

export const hex = z.custom<Hex>(value => typeof value === 'string' && isHex(value), 'must be 0x and hex digits')
export const address = z.custom<Address>(
  value => typeof value === 'string' && isAddress(value),
  'must be 0x and 40 lower-case digits',
)

/** The wallet of nobody: it has no key, so that nobody can ever speak for it. */
export const nobody: Address = `0x${'0'.repeat(40)}`

/** `user:0xAbC…`, `0xAbC…` and any letter case name one wallet; undefined when the text names none (wire forms of a user). */
export const toWallet = (text: string): Address | undefined => {
  const bare = text.replace(/^user:/i, '').toLowerCase()
  return isAddress(bare) ? bare : undefined
}

// The digest of terms is what a yes refers to. People are shown its first characters; programs send and compare all of it.

/** Hex characters of a digest: 128 bits, so that nobody finds other terms with the same one. */
export const digestChars = 32
/** Characters of a digest that people are shown. */
export const shownChars = 8
/** Terms stored by an earlier release have digests of 8 characters, quotes of trades 16. */
const storedChars: readonly number[] = [8, 16]

export const toShownDigest = (digest: string): string => digest.slice(0, shownChars)

/**
 * Whether a stored digest is that of terms whose full digest is `full`. A digest of an earlier release is shorter, and counts
 * only where it was stored: what a caller sends is compared in full, so that no start of a digest agrees.
 */
export const isStoredDigest = (stored: string, full: string): boolean =>
  stored === full || (storedChars.includes(stored.length) && full.startsWith(stored))

import { randomBytes } from 'node:crypto'
import { sha256 } from '../../domain/json.ts'

// Crockford's base 32: no letter looks like a digit.
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 26 digits of five bits: nobody guesses 130 bits, so a plain hash hides the code. */
const digitCount = 26

/** A recovery code, such as `4K7Q-…`, to be shown once; only its hash is stored. */
export const makeRecoveryCode = (): { code: string; hash: string } => {
  const text = Array.from(randomBytes(digitCount), byte => digits[byte % digits.length]).join('')
  return { code: text.replace(/(.{4})(?=.)/g, '$1-'), hash: sha256(text) }
}

/** The hash of a code as a person types it: in any case, with or without its strokes, with O for 0 and I or L for 1. */
export const toRecoveryHash = (typed: string): string =>
  sha256(
    typed
      .toUpperCase()
      .replaceAll(/[^0-9A-Z]/g, '')
      .replaceAll('O', '0')
      .replaceAll(/[IL]/g, '1'),
  )

/** An amount of a token in its smallest units. Never a float: 18-decimal USDC does not fit one. */
export type Atomic = bigint

/** Maximum decimals of any USDC token. */
export const maxDecimals = 18

// A uint256 has at most 78 digits, so longer texts are refused.
const decimalText = /^(\d{1,78})(?:\.(\d{1,78}))?$/

/**
 * Decimal USDC to atomic units.
 * @returns undefined when the text is not a plain decimal or has more decimals than the token
 */
export const parseUsdc = (decimal: string | number, decimals: number): Atomic | undefined => {
  const [, whole, fraction = ''] = decimalText.exec(typeof decimal === 'number' ? plain(decimal) : decimal) ?? []
  if (whole === undefined || fraction.replace(/0+$/, '').length > decimals) return undefined
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

/** Atomic units to decimal text without trailing zeros: 1500000n with 6 decimals is `1.5`. */
export const formatUsdc = (atomic: Atomic, decimals: number): string => {
  const digits = (atomic < 0n ? -atomic : atomic).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${atomic < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

// A JSON price such as 1e-7 prints with an exponent. It is written out digit by digit, because rounding would turn 1e-21 into
// zero.
const plain = (value: number): string => {
  const [, whole, fraction = '', exponent] = /^(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? []
  if (whole === undefined) return String(value)
  const digits = whole + fraction
  const point = Number(exponent) + 1
  return point > 0 ? digits.padEnd(point, '0') : `0.${'0'.repeat(-point)}${digits}`
}

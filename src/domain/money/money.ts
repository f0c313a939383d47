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

/** Every price is below a billion USDC. */
export const billion = 1_000_000_000n

export const oneUsdc = (decimals: number): Atomic => 10n ** BigInt(decimals)

/** The largest amount below `total` on a chain of these decimals, as decimal USDC; 0 below the smallest amount. */
export const justBelow = (total: string, decimals: number): string => {
  const atomic = parseUsdc(total, decimals) ?? 0n
  return formatUsdc(atomic > 0n ? atomic - 1n : 0n, decimals)
}

export const toCost = (amount: string, isMost: boolean): string => (isMost ? `up to ${amount}` : amount)

/** Whether one decimal amount is above another, to the last decimal of any chain. A text that is no amount is never above. */
export const isAbove = (amount: string, most: string): boolean => {
  const [asked, given] = [parseUsdc(amount, maxDecimals), parseUsdc(most, maxDecimals)]
  return asked !== undefined && given !== undefined && asked > given
}

/** A decimal amount some whole times, as decimal USDC; undefined when the text is no amount. */
export const timesUsdc = (amount: string, times: bigint): string | undefined => {
  const atomic = parseUsdc(amount, maxDecimals)
  return atomic === undefined ? undefined : formatUsdc(atomic * times, maxDecimals)
}

/** Sums amounts of chains with different decimals exactly, as decimal USDC. */
export const sumUsdc = (amounts: readonly { amount: Atomic; decimals: number }[]): string => {
  const inFinest = amounts.map(({ amount, decimals }) => amount * oneUsdc(maxDecimals - decimals))
  return formatUsdc(
    inFinest.reduce((sum, it) => sum + it, 0n),
    maxDecimals,
  )
}

/** Atomic units to USDC as a floating-point number, for sorting and thresholds only; never for money that moves. */
export const toRoughUsdc = (atomic: Atomic | number, decimals: number): number => Number(atomic) / 10 ** decimals

// A JSON price such as 1e-7 prints with an exponent. It is written out digit by digit, because rounding would turn 1e-21 into
// zero.
const plain = (value: number): string => {
  const [, whole, fraction = '', exponent] = /^(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? []
  if (whole === undefined) return String(value)
  const digits = whole + fraction
  const point = Number(exponent) + 1
  return point > 0 ? digits.padEnd(point, '0') : `0.${'0'.repeat(-point)}${digits}`
}

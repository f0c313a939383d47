import { getAddress } from 'viem/utils'
import { type Address, address } from '../../domain/hex.ts'

/** Converts viem's checksum form to lower case, which is used everywhere inside. */
export const lower = (checksummed: string): Address => address.parse(checksummed.toLowerCase())

/** Whether an address in mixed case has a wrong checksum (EIP-55), so that one of its characters is wrong. */
export const isMistyped = (text: string): boolean => {
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return isMixed && getAddress(text.toLowerCase()) !== text
}

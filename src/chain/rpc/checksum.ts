import { type Address, address } from '../../domain/hex.ts'

/** Converts viem's checksum form to lower case, which is used everywhere inside. */
export const lower = (checksummed: string): Address => address.parse(checksummed.toLowerCase())

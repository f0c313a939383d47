import { type Address, address } from '../../domain/hex.ts'

/** Addresses are lower case inside; viem gives the checksum form. */
export const lower = (checksummed: string): Address => address.parse(checksummed.toLowerCase())

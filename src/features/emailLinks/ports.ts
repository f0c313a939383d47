import type { Address } from '../../domain/hex.ts'
import type { Tables } from '../../ports.ts'

/** E-mail addresses stand here as keyed hashes. */
export type EmailTables = {
  /** Notes a link to an address, in one conditional write. False when `most` were sent in the last hour, to it or in all. */
  noteLink(email: string, most: { ofAddress: number; ofAll: number }): Promise<boolean>
  accountOf(email: string): Promise<Address | undefined>
  /** Gives an address its account. @returns the account that it has then, which another request may have given it before */
  addAccount(email: string, wallet: Address): Promise<Address>
}

export const emailTables = (tables: object): EmailTables => tables as Tables & EmailTables

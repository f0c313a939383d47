import { z } from 'zod'
import { readScopes } from '../../domain/access/scopes.ts'
import { type Address, address } from '../../domain/hex.ts'
import { maybe, type RowOf } from '../../ports/rows/columns.ts'
import type { Tables } from '../../ports.ts'

export type Client = { id: string; name: string; redirectUris: string[] }

/** What a user allowed a program. Times are epoch ms. */
export const grantRow = {
  id: z.string(),
  wallet: address,
  clientId: z.string(),
  clientName: z.string(),
  redirectUri: z.string(),
  scopes: z.string().transform(readScopes),
  /** The URL that its tokens are for (RFC 8707). */
  resource: z.string(),
  /** The PKCE challenge of the method S256 (RFC 7636). */
  codeChallenge: z.string(),
  createdAt: z.number(),
  usedAt: z.number(),
  /** Undefined while the grant lasts. */
  endedAt: maybe(z.number()),
}
export type ProgramGrant = RowOf<typeof grantRow>
export type NewGrant = Omit<ProgramGrant, 'createdAt' | 'usedAt' | 'endedAt'> & { codeHash: string; codeUntil: number }

/** The hash of the next refresh token, and its end in epoch ms. */
export type NextRefresh = { refreshHash: string; refreshUntil: number }

export type GrantTables = {
  /** Adds a grant, and deletes those of its wallet that ended. False when `most` others of its wallet can be used. */
  addGrant(grant: NewGrant, most: number): Promise<boolean>
  grant(id: string): Promise<ProgramGrant | undefined>
  /** Uses the code of a grant, in one conditional write. False when it is over, was used before, or is another one. */
  useCode(id: string, codeHash: string, next: NextRefresh): Promise<boolean>
  /** Replaces the refresh token of a grant, in one conditional write. False when it is over, was replaced, or is another one. */
  useRefresh(id: string, refreshHash: string, next: NextRefresh): Promise<boolean>
  endGrant(id: string, wallet: Address): Promise<boolean>
  /** Grants of a wallet that can still be used, newest first. */
  grantsOf(wallet: Address): Promise<ProgramGrant[]>
}

export const grantTables = (tables: Tables): GrantTables => tables as Tables & GrantTables

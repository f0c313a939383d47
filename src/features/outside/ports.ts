import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import { json, jsonObject } from '../../domain/json.ts'
import type { Atomic } from '../../domain/money/money.ts'
import { schemes } from '../../domain/x402/x402.ts'
import { amount, jsonText, maybe, type RowOf } from '../../ports/rows/columns.ts'
import type { Tables } from '../../ports.ts'

/**
 * What a catalogue says of a resource. `target`: hash of method and address without its query. `example`: the query or the body that
 * the listing itself names; undefined where it names none. `refusal`: the scheme, chain or token that is not spoken here; then chain,
 * token, payee and amount are empty.
 */
const listedRow = {
  url: z.string(),
  target: z.string(),
  method: z.enum(['GET', 'POST']),
  host: z.string(),
  name: z.string(),
  description: z.string(),
  example: maybe(jsonText(json)),
  requirement: jsonText(jsonObject),
  chainId: z.number(),
  asset: maybe(address),
  payTo: maybe(address),
  amount,
  /** In the scheme `upto` the amount is the most. */
  scheme: z.enum(schemes),
  refusal: z.string(),
}
export type Listed = RowOf<typeof listedRow>

/**
 * A listed resource with its checks. `verdict`: why the last check failed; empty when it passed. `asked`: the price of the last check
 * that passed. `recent`: the newest checks, `1` for each that passed.
 */
export const listingRow = {
  ...listedRow,
  key: z.string(),
  catalogue: z.string(),
  verdict: z.string(),
  asked: maybe(amount),
  recent: z.string(),
  probedAt: maybe(z.number()),
  aliveAt: maybe(z.number()),
  changedAt: z.number(),
}
export type OutsideListing = RowOf<typeof listingRow>

/** A page as it was last read: its ETag, empty without one, whether it was the last, and the chains that were spoken then. */
export const readPage = z.object({ etag: z.string(), isLast: z.boolean(), chains: z.string() })
export type ReadPage = z.infer<typeof readPage>

/** The reading of a catalogue. `page` is the next page of the pass; `pages` are those that were read before. */
export const catalogueRow = {
  url: z.string(),
  pass: z.number(),
  page: z.number(),
  pages: jsonText(z.array(readPage)),
  tries: z.number(),
}
export type Catalogue = RowOf<typeof catalogueRow>

const counted = z.coerce.number()
export const countRow = {
  url: z.string(),
  listed: counted,
  refused: counted,
  shown: counted,
  readAt: maybe(z.number()),
  reason: z.string(),
}
export type CatalogueCount = RowOf<typeof countRow>

export type CatalogueTables = {
  /** Adds catalogues, and deletes all others with what they list. */
  openCatalogues(urls: readonly string[]): Promise<void>
  dueCatalogue(): Promise<Catalogue | undefined>
  /** Sets the next page. At the end of a pass, deletes what it did not list. */
  turnPage(of: { catalogue: string; pages: ReadPage[]; isEnd: boolean; pauseMs: number }): Promise<void>
  /** Sets the time of the next attempt. */
  failCatalogue(url: string, of: { reason: string; pauseMs: number }): Promise<void>
  countListings(): Promise<CatalogueCount[]>
}

export type ListingTables = {
  /** Stores a page of a pass. A listing whose terms changed must be checked again before it is shown. */
  keepPage(of: { catalogue: string; pass: number; page: number; listed: Listed[] }): Promise<void>
  /** What a page listed before is listed still. */
  keepOldPage(of: { catalogue: string; pass: number; page: number }): Promise<void>
  /** Listings whose check is due, at most `ofHost` of one host. */
  dueProbes(of: { ofHost: number; limit: number }): Promise<OutsideListing[]>
  keepProbe(key: string, of: { verdict: string; asked: Atomic | undefined; pauseMs: number }): Promise<void>
  /** Makes the check of these listings due after a pause, and counts nothing. */
  checkAgain(keys: string[], pauseMs: number): Promise<void>
  /** Listings that changed at `since` or later, in the order of the changes. */
  changedListings(since: number, limit: number): Promise<(OutsideListing & { isShown: boolean })[]>
  /** Those of some listings that are shown now. */
  shownListings(keys: string[]): Promise<OutsideListing[]>
  listingsOf(target: string, chainId: number, url: string): Promise<OutsideListing[]>
  /** What is refused, by the name of the scheme, chain or token. */
  countRefused(limit: number): Promise<{ refusal: string; listings: number }[]>
}

type OutsideTables = CatalogueTables & ListingTables
export const outsideTables = (tables: object): OutsideTables => tables as Tables & OutsideTables

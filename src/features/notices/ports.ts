import { z } from 'zod'
import { type Address, address } from '../../domain/hex.ts'
import { maybe, type RowOf } from '../../ports/rows/columns.ts'
import type { PushAddress, Tables } from '../../ports.ts'

/** A browser that is told of ends. `toldAt`: what ended before was told already. */
export const deviceRow = {
  id: z.string(),
  wallet: address,
  endpoint: z.string(),
  p256dh: z.string(),
  auth: z.string(),
  toldAt: z.number(),
  tries: z.number(),
  createdAt: z.number(),
} satisfies Record<keyof PushAddress, z.ZodType<string>> & z.ZodRawShape
export type Device = RowOf<typeof deviceRow>

/** Something that ended and was not told to a device yet. `name`: of the offering; empty for a search or a plan. */
export type Due = {
  device: Device
  about: 'paid' | 'unpaid' | 'search'
  id: string
  conversationId: string
  name: string
  at: number
}

export const searchRow = {
  id: z.string(),
  wallet: address,
  chainId: z.number(),
  text: z.string(),
  createdAt: z.number(),
  checkedAt: z.number(),
  foundAt: maybe(z.number()),
}
export type SavedSearch = RowOf<typeof searchRow>

type Most = { ofWallet: number; ofAll: number }

export type NoticeTables = {
  /**
   * Adds a device or renews its keys. The oldest ones of its wallet beyond `ofWallet` go. False when there are `ofAll` others.
   */
  keepDevice(device: Omit<Device, 'toldAt' | 'tries' | 'createdAt'>, most: Most): Promise<boolean>
  devicesOf(wallet: Address): Promise<Device[]>
  dropDevice(id: string, wallet: Address): Promise<boolean>
  /** The oldest untold end of each device that may be tried now. */
  dueNotices(limit: number): Promise<Due[]>
  /** What ended until `at` was told, or given up. */
  markTold(deviceId: string, at: number): Promise<void>
  /** The next attempt is made after `pauseMs`. */
  postpone(deviceId: string, pauseMs: number): Promise<void>
  /** Adds a search, unless its wallet or the service has too many. The same text of a wallet is one search. */
  keepSearch(search: Pick<SavedSearch, 'id' | 'wallet' | 'chainId' | 'text'>, most: Most): Promise<SavedSearch | undefined>
  searchesOf(wallet: Address): Promise<SavedSearch[]>
  dropSearch(id: string, wallet: Address): Promise<boolean>
  /** Searches without an offering that were not tried for `restMs`. They count as tried now. */
  takeSearches(limit: number, restMs: number): Promise<SavedSearch[]>
  markFound(searchId: string): Promise<void>
  forgetNotices(wallet: Address): Promise<void>
}

export const noticeTables = (tables: object): NoticeTables => tables as Tables & NoticeTables

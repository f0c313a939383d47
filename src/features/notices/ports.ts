import type { Address } from '../../domain/hex.ts'
import type { PushAddress, Tables } from '../../ports.ts'

/** A browser that is told of ends. `toldAt`: what ended before was told already. */
export type Device = PushAddress & { id: string; wallet: Address; toldAt: number; tries: number; createdAt: number }

/** Something that ended and was not told to a device yet. `name`: of the offering; empty for a search or a plan. */
export type Due = {
  device: Device
  about: 'paid' | 'unpaid' | 'search'
  id: string
  conversationId: string
  name: string
  at: number
}

export type SavedSearch = {
  id: string
  wallet: Address
  chainId: number
  text: string
  createdAt: number
  checkedAt: number
  foundAt: number | undefined
}

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
  /** Deletes all searches and devices of a wallet. */
  forgetNotices(wallet: Address): Promise<void>
}

/** The tables of this feature, which it adds to those of the core. */
export const noticeTables = (tables: object): NoticeTables => tables as Tables & NoticeTables

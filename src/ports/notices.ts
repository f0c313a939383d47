import type { NoticeKind } from '../domain/access/notices.ts'
import type { Address } from '../domain/hex.ts'

/** What the owner of an account is told about it. `seq` ascends in the order of telling; times are epoch ms. */
export type Notice = { seq: number; kind: NoticeKind; text: string; createdAt: number }

/** What accounts are told, and the limit that their owners set. */
export type NoticeTables = {
  /** Tells a wallet something. Of each kind the newest are kept, so that no kind hides another one. */
  addNotice(of: { wallet: Address; kind: NoticeKind; text: string }): Promise<void>
  /** Newest first. */
  notices(of: { wallet: Address; limit: number }): Promise<Notice[]>
  /** The limit above which a yes of the wallet needs a passkey, in decimal USDC; undefined where none was set. */
  yesLimit(wallet: Address): Promise<string | undefined>
  setYesLimit(wallet: Address, usdc: string): Promise<void>
}

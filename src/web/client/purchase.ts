import type { PurchaseRecord } from '../../records/purchase.ts'

export type Purchase = PurchaseRecord

/** Whether the seller gave what was asked for, and was paid. In the scheme `upto` it may have taken nothing. */
export const isDelivered = ({ state, scheme, status }: Purchase): boolean =>
  (state === 'paid' || (state === 'unpaid' && scheme === 'upto')) && status !== null && status >= 200 && status < 300

/** Maximum length of a host name (RFC 1035, 2.3.4) with its port. */
export const hostChars = 260

/** Splits an address into its host, and its path with the query. */
export const placeOf = (url: string): { host: string; path: string } => {
  if (!URL.canParse(url)) return { host: url, path: '' }
  const { host, pathname, search } = new URL(url)
  return { host, path: `${pathname}${search}` }
}

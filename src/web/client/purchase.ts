/** A purchase by x402 as its user reads it. */
export type Purchase = {
  purchase_id: string
  state: 'proposed' | 'declined' | 'paying' | 'refused' | 'paid' | 'unpaid'
  url: string
  method: string
  /** In the scheme `upto` the most that the seller may take. */
  price: string
  scheme: 'exact' | 'upto'
  /** What was paid; null until then. */
  paid: string | null
  payer: string
  payee: string
  asset: string
  digest: string
  mandate_id: string | null
  /** HTTP status of the seller's answer. */
  status: number | null
  content_type: string
  content: string
  /** Stored parts of an answer that `content` does not have whole. */
  parts: number
  reason: string
}

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

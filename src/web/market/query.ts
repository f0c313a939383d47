/** The filters and sort order of the market view, as stored in the URL. */
export type MarketQuery = { text: string; tag: string; price: string; sort: string; online: boolean }

/** It is a multiple of the number of columns, so that each page but the last fills whole rows. */
export const pageSize = 24
/** Maximum number of offerings to which scrolling leads. The search leads to all others. */
export const mostShown = 12_000

export const queryOf = (path: string): MarketQuery => {
  const asked = new URLSearchParams(path.split('?')[1] ?? '')
  return {
    text: asked.get('q') ?? '',
    tag: asked.get('tag') ?? '',
    price: asked.get('price') ?? '',
    sort: asked.get('sort') ?? '',
    online: asked.get('online') === 'true',
  }
}

/** Returns the URL of a view, without default values. */
export const toPath = ({ text, tag, price, sort, online }: MarketQuery): string => {
  const asked = new URLSearchParams({
    ...(text && { q: text }),
    ...(tag && { tag }),
    ...(price && { price }),
    ...(sort && { sort }),
    ...(online && { online: 'true' }),
  })
  return `/app/market${asked.size > 0 ? `?${asked}` : ''}`
}

/** Returns the request for one page of a view without search text. @param at the number of the page, from 0 */
export const toServicesPath = ({ tag, price, sort, online }: MarketQuery, at: number): string =>
  `/services?${new URLSearchParams({
    page: String(at + 1),
    pageSize: String(pageSize),
    sort: sort || 'sample',
    ...(tag && { tag }),
    ...(price && { max_price: price }),
    ...(online && { online: 'true' }),
  })}`

/** Maximum results of one search. */
export const maxHits = 50

export const toSearchPath = ({ text, price }: MarketQuery): string =>
  `/offerings/search?${new URLSearchParams({ query: text, limit: String(maxHits), ...(price && { max_price: price }) })}`

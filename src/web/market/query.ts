/** The filters and sort order of the market view, as stored in the URL. */
export type MarketQuery = { text: string; tag: string; price: string; sort: string; online: boolean; shown: number }

export const pageSize = 24
/** Maximum number of offerings shown at once; a page with more of them would be too heavy. The search leads to all others. */
const most = 12_000

/** Parses the market's filters from a path. Invalid numbers become the default. */
export const queryOf = (path: string): MarketQuery => {
  const asked = new URLSearchParams(path.split('?')[1] ?? '')
  const shown = Number(asked.get('shown') ?? pageSize)
  return {
    text: asked.get('q') ?? '',
    tag: asked.get('tag') ?? '',
    price: asked.get('price') ?? '',
    sort: asked.get('sort') ?? '',
    online: asked.get('online') === 'true',
    shown: Number.isInteger(shown) && shown > 0 ? Math.min(shown, most) : pageSize,
  }
}

/** Returns the URL of a view, without default values. */
export const toPath = ({ text, tag, price, sort, online, shown }: MarketQuery): string => {
  const asked = new URLSearchParams({
    ...(text && { q: text }),
    ...(tag && { tag }),
    ...(price && { price }),
    ...(sort && { sort }),
    ...(online && { online: 'true' }),
    ...(shown > pageSize && { shown: String(shown) }),
  })
  return `/app/market${asked.size > 0 ? `?${asked}` : ''}`
}

/** Returns the request for one page of a view without search text. */
export const toServicesPath = (
  { tag, price, sort, online }: MarketQuery,
  { page, size }: { page: number; size: number },
): string =>
  `/services?${new URLSearchParams({
    page: String(page),
    pageSize: String(size),
    sort: sort || 'sample',
    ...(tag && { tag }),
    ...(price && { max_price: price }),
    ...(online && { online: 'true' }),
  })}`

/** Maximum results of one search. */
export const maxHits = 50

export const toSearchPath = ({ text, price }: MarketQuery): string =>
  `/offerings/search?${new URLSearchParams({ query: text, limit: String(maxHits), ...(price && { max_price: price }) })}`

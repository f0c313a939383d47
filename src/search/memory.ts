import type { Found, Indexed, Search } from '../ports.ts'
import { createLexicon } from './lexicon.ts'
import { order, toFound } from './order.ts'
import { toParts } from './request.ts'
import { toKey, toRow } from './row.ts'

/** An index in memory that matches words as that of offerings does. Nothing of it is stored. */
export const createMemorySearch = () => {
  const lexicon = createLexicon()
  return {
    put: (listing: Indexed): void => lexicon.put(toRow(listing)),
    remove: (listing: Pick<Indexed, 'agentId' | 'id'>): void => lexicon.remove({ gone: [toKey(listing)] }),
    search(query: Parameters<Search['search']>[0]): Found[] {
      const asked = { query, lexicon, parts: toParts(query.text, lexicon), near: [] }
      return toFound(asked, order(asked))
    },
  }
}
export type MemorySearch = ReturnType<typeof createMemorySearch>

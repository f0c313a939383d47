import { get } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { find, know } from './find.ts'
import { catalogueTable, listingTable } from './listingTable.ts'
import { needs } from './needs.ts'
import { probeListings } from './probeListings.ts'
import { listCatalogues, readCatalogues } from './readCatalogues.ts'

/** Resources of other services, read from catalogues of x402, checked, and found beside our offerings. */
export const outside: Feature = {
  name: 'outside',
  needs,
  routes: [get('/v1/catalogues', listCatalogues)],
  tables: [catalogueTable, listingTable],
  supply: { find, know },
  workers: {
    // Without catalogues nothing is read.
    single({ deps }) {
      const { urls, probesPerMinute = 0 } = deps.settings.catalogues ?? {}
      return urls ? [readCatalogues(deps, urls), probeListings(deps, { perMinute: probesPerMinute })] : []
    },
  },
}

import { get, post, remove } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { shareTables } from './ports.ts'
import { readShared } from './readShared.ts'
import { sharedPage } from './sharedPage.ts'
import { endShare, listShares, shareResult, shareTable } from './shares.ts'

/** Results that their owners show to others by links, which they can withdraw. */
export const sharing: Feature = {
  name: 'sharing',
  routes: [
    get('/v1/shares', listShares),
    { ...post('/v1/shares', shareResult), status: 201 },
    remove('/v1/shares/{share_id}', endShare),
    get('/v1/shared/{share_id}', readShared),
  ],
  tables: [shareTable],
  openPage: sharedPage,
  personal: [
    {
      name: 'links',
      read: async (tables, wallet) =>
        (await shareTables(tables).sharesOf(wallet)).map(({ token, runId, createdAt }) => ({ token, runId, createdAt })),
      forget: (tables, wallet) => shareTables(tables).forgetShares(wallet),
    },
  ],
}

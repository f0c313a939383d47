import { get, post, remove } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { addDevice, endDevice, readNotices } from './devices.ts'
import { deviceTable, searchTable } from './noticeTable.ts'
import { noticeTables } from './ports.ts'
import { endSearch, listSearches, saveSearch, watchSearches } from './searches.ts'
import { sendNotices } from './sendNotices.ts'

/** Tells people when a job of theirs ended, or when somebody offers what they searched for: by Web Push, on their request. */
export const notices: Feature = {
  name: 'notices',
  routes: [
    get('/v1/notices', readNotices),
    { ...post('/v1/notices/devices', addDevice), status: 201 },
    remove('/v1/notices/devices/{device_id}', endDevice),
    get('/v1/searches', listSearches),
    { ...post('/v1/searches', saveSearch), status: 201 },
    remove('/v1/searches/{search_id}', endSearch),
  ],
  tables: [deviceTable, searchTable],
  personal: [
    {
      name: 'searches',
      read: async (tables, wallet) =>
        (await noticeTables(tables).searchesOf(wallet)).map(({ text, createdAt }) => ({ text, createdAt })),
      forget: (tables, wallet) => noticeTables(tables).forgetNotices(wallet),
    },
    {
      name: 'devices',
      read: async (tables, wallet) =>
        (await noticeTables(tables).devicesOf(wallet)).map(({ endpoint, createdAt }) => ({ endpoint, createdAt })),
      forget: async () => undefined,
    },
  ],
  workers: {
    single: ({ deps }) => [
      watchSearches(deps),
      ...(deps.webPush ? [sendNotices({ store: deps.store, push: deps.webPush })] : []),
    ],
  },
}

import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import { toAccessChannel } from '../../domain/net/channels.ts'
import { flag, maybe } from '../../ports/rows/columns.ts'
import type { Row } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const accesses = rowOf({
  id: z.string(),
  key: z.string(),
  owner: address,
  handle: z.string(),
  chainId: z.number(),
  isStrict: flag,
  keepsOpen: flag,
  secretHash: maybe(z.string()),
})
const selectAccess = `select id, key, owner, handle, chain_id, coalesce(is_strict, 0) as is_strict,
  coalesce(keeps_open, 0) as keeps_open, secret_hash
  from agent left join agent_access on agent_key = key where`

const toAccess = (found: Row[]) =>
  accesses.all(found).map(({ isStrict, keepsOpen, secretHash, ...agent }) => ({ isStrict, keepsOpen, secretHash, agent }))

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** How agents authenticate at the gateway. A secret is stored only as its hash. */
export const agentAccessTable = tableGroup(({ read, write }) => ({
  agentAccess: async agentKey => {
    const [row] = await read('select is_strict, keeps_open, secret_hash from agent_access where agent_key = $1', [agentKey])
    return { isStrict: row?.is_strict === 1, keepsOpen: row?.keeps_open === 1, secretHash: textOf(row?.secret_hash) }
  },

  newestAccess: async limit => toAccess(await read(`${selectAccess} id is not null order by seq desc limit $1`, [limit])),
  accessOf: async ids =>
    ids.length === 0 ? [] : toAccess(await read(`${selectAccess} id in (select value from {EACH}($1))`, [JSON.stringify(ids)])),

  putAgentAccess: (agentKey, patch) =>
    write(async ({ sql, notify }) => {
      notify(toAccessChannel(agentKey))
      await sql('insert into agent_access (agent_key) values ($1) on conflict (agent_key) do nothing', [agentKey])
      if ('isStrict' in patch)
        await sql('update agent_access set is_strict = $2, keeps_open = $3 where agent_key = $1', [
          agentKey,
          patch.isStrict,
          !patch.isStrict,
        ])
      else await sql('update agent_access set secret_hash = $2 where agent_key = $1', [agentKey, patch.secretHash])
    }),

  latchAgent: agentKey =>
    write(async ({ sql, notify }) => {
      const rows = await sql(
        `insert into agent_access (agent_key, is_strict) values ($1, 1) on conflict (agent_key)
         do update set is_strict = 1 where agent_access.is_strict = 0 and agent_access.keeps_open = 0 returning agent_key`,
        [agentKey],
      )
      if (rows.length > 0) notify(toAccessChannel(agentKey))
      return rows.length > 0
    }),

  agentIdsByNumber: async number =>
    (await read(`select id from agent where id like '%:' || $1 limit 2`, [number])).map(row => String(row.id)),

  agentKeyOfSecret: async secretHash =>
    textOf((await read('select agent_key from agent_access where secret_hash = $1', [secretHash]))[0]?.agent_key),
}))

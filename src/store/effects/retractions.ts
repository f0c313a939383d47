import { z } from 'zod'
import { hex } from '../../domain/hex.ts'
import { whole } from '../../ports/rows/columns.ts'
import { unminedStates } from '../../ports/rows/effects.ts'
import type { Tx } from '../engine/db.ts'
import { placesOf, quoted, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { intentColumns, toIntents } from './intentRows.ts'
import { failDependents } from './transactions.ts'

const mined = rowOf({ hash: hex, blockNumber: whole, blockTime: z.number(), blockIndex: z.number() })
const blocks = rowOf({ blockNumber: whole })

/** Updates our own effects after a reorganisation has removed blocks. */
export const retractionTable = tableGroup(({ read, write }) => ({
  minedAbove: async (chainId, block) => {
    // One statement for both questions. Events above the block are rare, and are then read by themselves.
    const events = 'select count(*) from chain_event e where e.chain_id = $1 and e.block_number > $2'
    const select = `select seen.events, ${mined.columns} from (select (${events}) as events) seen
      left join chain_transaction on chain_id = $1 and block_number > $2 order by block_number`
    const rows = await read(select, [chainId, block])
    const transactions = mined.all(rows.filter(it => it.hash !== null))
    return {
      hasEvents: Number(rows[0]?.events) > 0,
      transactions: transactions.map(({ blockIndex, ...it }) => ({ ...it, index: blockIndex })),
    }
  },

  unmine: hashes =>
    write(async tx => {
      for (const hash of hashes.toSorted()) await unmine(tx, hash)
    }),

  minedBlocksOf: async jobId => {
    const of = `select distinct t.block_number from chain_transaction t join intent i on t.intent_seq = i.seq
      where i.key in ($1, $2, $3, $4) and t.block_number is not null order by t.block_number`
    const keys = ['hire', 'submit', 'complete', 'refund'].map(step => `job:${jobId}:${step}`)
    return blocks.all(await read(of, keys)).map(it => it.blockNumber)
  },

  suspendIntents: (jobId, chainJobId) =>
    write(async ({ sql }) => {
      // Effects other than these wait for the funding. A hire and its approval restore the funding; feedback and validations
      // name no job on chain.
      const held = `update intent set held = $2 where key like $1 and key not like '%:hire' and key not like '%:approve'
        and key not like '%:feedback' and key not like '%:validation-%' and held is null and state in ('waiting',
        'sent', 'confirmed')`
      await sql(held, [`job:${jobId}:%`, chainJobId])
    }),

  resumeIntents: (jobId, chainJobId) =>
    write(async tx => {
      const key = `job:${jobId}:%`
      const stale = await tx.sql('select key from intent where key like $1 and held <> $2 order by seq', [key, chainJobId])
      for (const row of stale) await drop(tx, String(row.key))
      await tx.sql('update intent set held = null where key like $1', [key])
      tx.notify('intents')
    }),

  dropSuspended: jobId => write(tx => dropSuspended(tx, jobId)),

  intentsOf: async keys =>
    toIntents(await read(`select ${intentColumns} from intent where key in (${placesOf(keys) || 'null'}) order by seq`, keys)),

  forgetChain: chainId =>
    write(async ({ sql }) => {
      for (const statement of forgotten) await sql(statement, [chainId])
    }),
}))

const unmine = async (tx: Tx, hash: string) => {
  const { sql, notify } = tx
  const unmined = await sql(
    `update intent set state = 'sent' where state in ('confirmed', 'reverted')
     and seq = (select intent_seq from chain_transaction where hash = $1 and block_number is not null)
     returning key, exists (select 1 from intent b where b.key = intent."after" and b.state = 'reverted') as is_orphan`,
    [hash],
  )
  await sql('update chain_transaction set block_number = null, block_time = null, block_index = null where hash = $1', [hash])
  for (const row of unmined) if (row.is_orphan === 1 || row.is_orphan === true) await drop(tx, String(row.key))
  notify('intents')
}

/**
 * An effect whose transactions name an on-chain job id that is no longer its own. They are never sent again, and their nonces
 * are free.
 */
const drop = async (tx: Tx, key: string) => {
  await tx.sql(
    `update chain_transaction set retired = 1 where block_number is null and intent_seq = (select seq from intent
      where key = $1)`,
    [key],
  )
  await tx.sql(`update intent set state = 'reverted' where key = $1 and state in (${quoted(unminedStates)})`, [key])
  tx.notify(`intent:${key}`)
  await failDependents(tx, key)
}

/** Drops all suspended effects of a job. */
export const dropSuspended = async (tx: Tx, jobId: string): Promise<void> => {
  const held = await tx.sql('select key from intent where key like $1 and held is not null order by seq', [`job:${jobId}:%`])
  for (const row of held) await drop(tx, String(row.key))
  await tx.sql('update intent set held = null where key like $1 and held is not null', [`job:${jobId}:%`])
}

// Reverts the effects of all chain events on the rows of a chain, so that the events can be read again.
const forgotten = [
  `update job set chain_job_id = null, state = case
     when state in ('escrowed', 'queued') then 'open' when state = 'settled' then 'settling'
     when state = 'refunded' then 'expired' else state end
   where chain_id = $1 and budget <> '0' and chain_job_id is not null`,
  'update agent set rating_due = rating_due + 1 where chain_id = $1 and rated_at is not null',
  `update agent set (paid_jobs, earned) = (select count(*), coalesce(sum(cast(j.budget as {REAL}) - cast(j.fee as {REAL})), 0)
     from job j where j.agent_id = agent.id and j.state = 'settled' and j."user" <> agent.owner) where chain_id = $1`,
  // Settlements of paid calls follow from their transactions, not from events of the escrow.
  `delete from ledger_entry where posting_key in (select key from posting where chain_id = $1 and key not like 'x402:%')`,
  `delete from posting where chain_id = $1 and key not like 'x402:%'`,
  'delete from token where chain_id = $1',
  'delete from token_trade where chain_id = $1',
  'delete from token_fee where chain_id = $1',
  'delete from token_cursor where chain_id = $1',
  'delete from chain_event where chain_id = $1',
  'delete from chain_block where chain_id = $1',
  'delete from chain_cursor where chain_id = $1',
]

import { randomUUID } from 'node:crypto'
import type { RunEvent } from '../domain/runEvent.ts'
import type { Clock, Store, Tables, Wakeups } from '../ports.ts'
import { accessTable } from './access/access.ts'
import { agentAccessTable } from './access/agentAccess.ts'
import { codeTable } from './access/codes.ts'
import { keyRegistrationTable } from './access/keyRegistrations.ts'
import { alertStateTable } from './effects/alertStates.ts'
import { cursorTable } from './effects/chainCursor.ts'
import { chainEventTable } from './effects/chainEvents.ts'
import { failureTable } from './effects/failures.ts'
import { intentTable } from './effects/intents.ts'
import { nonceTable } from './effects/nonces.ts'
import { freeOutbox, outboxTable } from './effects/outbox.ts'
import { retractionTable } from './effects/retractions.ts'
import { freeSenders, type Holder, senderTable } from './effects/senders.ts'
import { transactionTable } from './effects/transactions.ts'
import { type Db, once, type Scope, type Tx } from './engine/db.ts'
import { migrate } from './engine/migrations.ts'
import { type Notifications, openNotifications } from './engine/notifications.ts'
import { openPostgres } from './engine/postgres.ts'
import { openSqlite, readSqlite } from './engine/sqlite.ts'
import { jobEndTable } from './jobs/jobEnds.ts'
import { jobTable } from './jobs/jobs.ts'
import { postedJobTable } from './jobs/postedJobs.ts'
import { pushTable, setAllUncertain } from './jobs/pushes.ts'
import { testJobTable } from './jobs/testJobs.ts'
import { agentTable } from './market/agents.ts'
import { certificateTable } from './market/certificates.ts'
import { feedbackTable } from './market/feedback.ts'
import { gatewayTaskTable } from './market/gatewayTasks.ts'
import { learningTable } from './market/learning.ts'
import { marketTable } from './market/market.ts'
import { offeringTable } from './market/offerings.ts'
import { ratingTable } from './market/ratings.ts'
import { reputationTable } from './market/reputations.ts'
import { validationTable } from './market/validations.ts'
import { ledgerTable } from './money/ledger.ts'
import { mandateTable } from './money/mandates.ts'
import { paidCallTable } from './money/paidCalls.ts'
import { payoutTable } from './money/payouts.ts'
import { freePurchases, purchaseTable } from './money/purchases.ts'
import { signatureTable } from './money/signatures.ts'
import { tokenTable } from './money/tokens.ts'
import { tradeOrderTable } from './money/tradeOrders.ts'
import { walletTable } from './money/wallets.ts'
import { withdrawalTable } from './money/withdrawals.ts'
import { conversationTable } from './runs/conversations.ts'
import { historyTable } from './runs/history.ts'
import { idempotencyTable } from './runs/idempotency.ts'
import { pruneTable } from './runs/pruneRuns.ts'
import { runEventTable } from './runs/runEvents.ts'
import { freeRuns, runTable } from './runs/runs.ts'
import { sweepTable } from './runs/sweepRecords.ts'
import { migrations } from './schema/schema.ts'

/** Where rows are stored: a file used by this process alone, or a PostgreSQL server (`postgres://…`) shared by several. */
export type StorePlace = { file: string } | { url: string }
/** `name` of this process, unique among those on one database. */
export type StoreOptions = StorePlace & { clock: Clock; wakeups?: Pick<Wakeups, 'notify'>; name?: string }

/**
 * Opens the store, migrates its schema, and ends the leases of a process that has ended.
 * @throws Error when another process holds the file, or when the schema does not belong to this release
 */
export const openStore = async (options: StoreOptions): Promise<Store & { db: Db }> => {
  const { name = randomUUID() } = options
  const db = 'file' in options ? openSqlite(options) : openPostgres({ ...options, name })
  try {
    await migrate(db, migrations)
    const notices =
      'url' in options && options.wakeups ? openNotifications({ url: options.url, name, wakeups: options.wakeups }) : undefined
    const write = writeTo({ db, wakeups: options.wakeups, notices })
    // A file has only one process, which has just started, so every lease in it has lost its holder. On a server others may be
    // running.
    if (db.dialect === 'sqlite') await write(freeLeases)
    const holder: Holder = { name, held: new Map() }
    return {
      ...tablesOf({ read: db.sql, run: db.run, write }, holder),
      atomically: work => write(tx => work(tablesOf(within(tx), holder))),
      close: once(async () => {
        // Frees the senders, so that other processes need not wait for the leases to expire.
        if (db.dialect === 'postgres') await write(tx => freeSenders(tx, holder.name)).catch(() => undefined)
        await notices?.close()
        await db.close()
      }),
      db,
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** A store for reading only. Its schema may be that of another release. */
export type StoreReader = { tables: Tables; sql: Db['sql']; close(): Promise<void> }

/** Opens a store for reading only, also while services use it. @throws Error when there is no such file */
export const readStore = (options: StorePlace & { clock: Clock }): StoreReader => {
  const name = `market reader ${randomUUID()}`
  const { sql, close } = 'file' in options ? readSqlite(options) : openPostgres({ ...options, name })
  const write = async () => {
    throw new TypeError('this store is open for reading only')
  }
  return { tables: tablesOf({ read: sql, run: write, write }, { name, held: new Map() }), sql, close }
}

const freeLeases = async (tx: Tx) => {
  await freeRuns(tx)
  await freeOutbox(tx)
  await freeSenders(tx)
  await setAllUncertain(tx)
  await freePurchases(tx)
}

type Writing = { db: Db; wakeups: Pick<Wakeups, 'notify'> | undefined; notices: Notifications | undefined }

/** Runs transactions, and notifies each channel once after the commit, in this process and the others. */
const writeTo =
  ({ db, wakeups, notices }: Writing): Scope['write'] =>
  async work => {
    // The events of each channel; undefined when more than events changed.
    const channels = new Map<string, RunEvent[] | undefined>()
    const notify: Tx['notify'] = (channel, event) => {
      const events = channels.has(channel) ? channels.get(channel) : []
      channels.set(channel, event && events && [...events, event])
    }
    const result = await db.tx(async sql => {
      // The work may run a second time after a deadlock.
      channels.clear()
      const done = await work({ sql, notify })
      if (channels.size > 0) await notices?.announce(sql, channels.keys())
      return done
    })
    for (const [channel, events] of channels) wakeups?.notify(channel, events)
    return result
  }

const within = (tx: Tx): Scope => ({ read: tx.sql, run: tx.sql, write: work => work(tx) })

const tablesOf = (scope: Scope, holder: Holder): Tables => ({
  ...agentTable(scope),
  ...offeringTable(scope),
  ...walletTable(scope),
  ...conversationTable(scope),
  ...runTable(scope),
  ...runEventTable(scope),
  ...jobTable(scope),
  ...jobEndTable(scope),
  ...feedbackTable(scope),
  ...validationTable(scope),
  ...certificateTable(scope),
  ...intentTable(scope),
  ...transactionTable(scope),
  ...nonceTable(scope, holder.name),
  ...failureTable(scope),
  ...senderTable(scope, holder),
  ...signatureTable(scope),
  ...cursorTable(scope),
  ...chainEventTable(scope),
  ...retractionTable(scope),
  ...outboxTable(scope),
  ...ledgerTable(scope),
  ...idempotencyTable(scope),
  ...accessTable(scope),
  ...codeTable(scope),
  ...keyRegistrationTable(scope),
  ...marketTable(scope),
  ...sweepTable(scope),
  ...alertStateTable(scope),
  ...pruneTable(scope),
  ...payoutTable(scope),
  ...mandateTable(scope),
  ...reputationTable(scope),
  ...ratingTable(scope),
  ...postedJobTable(scope),
  ...gatewayTaskTable(scope),
  ...agentAccessTable(scope),
  ...pushTable(scope),
  ...learningTable(scope),
  ...withdrawalTable(scope),
  ...paidCallTable(scope),
  ...tokenTable(scope),
  ...tradeOrderTable(scope),
  ...purchaseTable(scope),
  ...testJobTable(scope),
  ...historyTable(scope),
})

import { randomUUID } from 'node:crypto'
import type { Clock, Hints, Store, Tables } from '../ports.ts'
import { accessTable } from './access.ts'
import { agentAccessTable } from './agentAccess.ts'
import { agentTable } from './agents.ts'
import { cursorTable } from './chainCursor.ts'
import { chainEventTable } from './chainEvents.ts'
import { codeTable } from './codes.ts'
import { conversationTable } from './conversations.ts'
import { type Db, once, type Scope, type Tx } from './db.ts'
import { doubtTable } from './doubts.ts'
import { feedbackTable } from './feedback.ts'
import { gatewayTaskTable } from './gatewayTasks.ts'
import { idempotencyTable } from './idempotency.ts'
import { intentTable } from './intents.ts'
import { jobEndTable } from './jobEnds.ts'
import { jobTable } from './jobs.ts'
import { keyRegistrationTable } from './keyRegistrations.ts'
import { learningTable } from './learning.ts'
import { ledgerTable } from './ledger.ts'
import { mandateTable } from './mandates.ts'
import { marketTable } from './market.ts'
import { migrate } from './migrations.ts'
import { nonceTable } from './nonces.ts'
import { offeringTable } from './offerings.ts'
import { freeOutbox, outboxTable } from './outbox.ts'
import { payoutTable } from './payouts.ts'
import { openPostgres } from './postgres.ts'
import { postingTable } from './postings.ts'
import { pushTable, setAllAdrift } from './pushes.ts'
import { reputationTable } from './reputations.ts'
import { retractionTable } from './retractions.ts'
import { runEventTable } from './runEvents.ts'
import { freeRuns, runTable } from './runs.ts'
import { migrations } from './schema.ts'
import { freeSenders, type Holder, senderTable } from './senders.ts'
import { signatureTable } from './signatures.ts'
import { openSqlite } from './sqlite.ts'
import { transactionTable } from './transactions.ts'
import { walletTable } from './wallets.ts'
import { withdrawalTable } from './withdrawals.ts'

/** Where rows are kept: a file of this process alone, or a PostgreSQL server (`postgres://…`) that several processes share. */
export type StorePlace = { file: string } | { url: string }
export type StoreOptions = StorePlace & { clock: Clock; hints?: Pick<Hints, 'notify'> }

/**
 * Opens the store, brings its schema up to date, and lets go of what a dead process was holding.
 * @throws Error in plain words when another process holds the file, or when the schema is not one of this release
 */
export const openStore = async (options: StoreOptions): Promise<Store & { db: Db }> => {
  const db = 'file' in options ? openSqlite(options) : openPostgres(options)
  try {
    await migrate(db, migrations)
    const write = writeTo(db, options.hints)
    // A file has one process, and it has just started: every hold in it is a dead one's. On a server others may be at work.
    if (db.dialect === 'sqlite') await write(freeHolds)
    const holder: Holder = { name: randomUUID(), held: new Map() }
    return {
      ...tablesOf({ read: db.sql, write }, holder),
      atomically: work => write(tx => work(tablesOf(within(tx), holder))),
      close: once(async () => {
        // Another process need not wait for what this one held.
        if (db.dialect === 'postgres') await write(tx => freeSenders(tx, holder.name)).catch(() => undefined)
        await db.close()
      }),
      db,
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

const freeHolds = async (tx: Tx) => {
  await freeRuns(tx)
  await freeOutbox(tx)
  await freeSenders(tx)
  await setAllAdrift(tx)
}

/** Transactions whose hints go out after the commit, each channel once. */
const writeTo =
  (db: Db, hints: Pick<Hints, 'notify'> | undefined): Scope['write'] =>
  async work => {
    const channels = new Set<string>()
    const result = await db.tx(sql => {
      // Empty again, should the work run a second time.
      channels.clear()
      return work({ sql, notify: channel => channels.add(channel) })
    })
    for (const channel of channels) hints?.notify(channel)
    return result
  }

const within = (tx: Tx): Scope => ({ read: tx.sql, write: work => work(tx) })

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
  ...intentTable(scope),
  ...transactionTable(scope),
  ...nonceTable(scope, holder.name),
  ...doubtTable(scope),
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
  ...payoutTable(scope),
  ...mandateTable(scope),
  ...reputationTable(scope),
  ...postingTable(scope),
  ...gatewayTaskTable(scope),
  ...agentAccessTable(scope),
  ...pushTable(scope),
  ...learningTable(scope),
  ...withdrawalTable(scope),
})

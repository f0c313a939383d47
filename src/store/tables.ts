import type { Tables } from '../ports.ts'
import { accessTable } from './access/access.ts'
import { accountEventTable } from './access/accountEvents.ts'
import { agentAccessTable } from './access/agentAccess.ts'
import { codeTable } from './access/codes.ts'
import { keyRegistrationTable } from './access/keyRegistrations.ts'
import { alertStateTable } from './effects/alertStates.ts'
import { cursorTable } from './effects/chainCursor.ts'
import { chainEventTable } from './effects/chainEvents.ts'
import { failureTable } from './effects/failures.ts'
import { intentTable } from './effects/intents.ts'
import { nonceTable } from './effects/nonces.ts'
import { outboxTable } from './effects/outbox.ts'
import { retractionTable } from './effects/retractions.ts'
import { senderTable } from './effects/senders.ts'
import { transactionTable } from './effects/transactions.ts'
import { createAside } from './engine/aside.ts'
import type { Scope } from './engine/db.ts'
import type { Holder } from './engine/holder.ts'
import { fileTable } from './files/files.ts'
import { uploadTable } from './files/uploads.ts'
import { claimTable } from './jobs/claimRuns.ts'
import { jobEndTable } from './jobs/jobEnds.ts'
import { jobTable } from './jobs/jobs.ts'
import { pushTable } from './jobs/pushes.ts'
import { agentTable } from './market/agents.ts'
import { feedbackTable } from './market/feedback.ts'
import { gatewayTaskTable } from './market/gatewayTasks.ts'
import { learningTable } from './market/learning.ts'
import { marketTable } from './market/market.ts'
import { offeringTable } from './market/offerings.ts'
import { ratingTable } from './market/ratings.ts'
import { reputationTable } from './market/reputations.ts'
import { ledgerTable } from './money/ledger.ts'
import { mandateTable } from './money/mandates.ts'
import { payoutTable } from './money/payouts.ts'
import { signatureTable } from './money/signatures.ts'
import { walletTable } from './money/wallets.ts'
import { withdrawalAddressTable } from './money/withdrawalAddresses.ts'
import { withdrawalTable } from './money/withdrawals.ts'
import { conversationTable } from './runs/conversations.ts'
import { historyTable } from './runs/history.ts'
import { idempotencyTable } from './runs/idempotency.ts'
import { planTable } from './runs/plans.ts'
import { pruneTable } from './runs/pruneRuns.ts'
import { runEventTable } from './runs/runEvents.ts'
import { runTable } from './runs/runs.ts'
import { sweepTable } from './runs/sweepRecords.ts'

const coreGroups = [
  agentTable,
  offeringTable,
  walletTable,
  conversationTable,
  runTable,
  runEventTable,
  jobTable,
  claimTable,
  jobEndTable,
  feedbackTable,
  intentTable,
  transactionTable,
  (scope: Scope, { name }: Holder) => nonceTable(scope, name),
  failureTable,
  senderTable,
  signatureTable,
  cursorTable,
  chainEventTable,
  retractionTable,
  outboxTable,
  ledgerTable,
  idempotencyTable,
  accessTable,
  codeTable,
  keyRegistrationTable,
  marketTable,
  sweepTable,
  alertStateTable,
  pruneTable,
  payoutTable,
  mandateTable,
  planTable,
  reputationTable,
  ratingTable,
  gatewayTaskTable,
  agentAccessTable,
  pushTable,
  learningTable,
  withdrawalTable,
  withdrawalAddressTable,
  accountEventTable,
  historyTable,
  fileTable,
  uploadTable,
] as const

/** A group of tables: makes functions that read and write in one scope. */
export type TableGroup = (scope: Scope, holder: Holder) => object

type All<T> = (T extends unknown ? (of: T) => void : never) extends (of: infer U) => void ? U : never
type Made = All<ReturnType<(typeof coreGroups)[number]>>

const refuse = () => Promise.reject(new TypeError('a table without a database'))
const nowhere: [Scope, Holder] = [
  { read: refuse, lists: refuse, run: refuse, write: refuse, aside: createAside(refuse) },
  { name: '', held: new Map(), steps: new Map() },
]

/** All tables of the store, those of the core and `added` ones. */
export const createTables = (added: readonly TableGroup[]) => {
  const groups: readonly TableGroup[] = [...coreGroups, ...added]
  const groupByName = new Map(groups.flatMap(group => Object.keys(group(...nowhere)).map(name => [name, group] as const)))
  const names = [...groupByName.keys()]
  return {
    /** The tables, which read and write in one scope. */
    tablesOf(scope: Scope, holder: Holder): Tables {
      const made: Partial<Made> = {}
      for (const group of groups) Object.assign(made, group(scope, holder))
      return made as Made
    },

    /** Like `tablesOf`, for one transaction. A table is made when it is first used, because a transaction uses few of them. */
    lazyTables(scope: Scope, holder: Holder): Tables {
      const made = {}
      const make = (name: string | symbol) => {
        if (typeof name === 'string' && !Object.hasOwn(made, name)) Object.assign(made, groupByName.get(name)?.(scope, holder))
      }
      return new Proxy(made, {
        get(_, name) {
          make(name)
          return Reflect.get(made, name)
        },
        has: (_, name) => typeof name === 'string' && groupByName.has(name),
        ownKeys: () => names,
        getOwnPropertyDescriptor(_, name) {
          make(name)
          return Reflect.getOwnPropertyDescriptor(made, name)
        },
      }) as Made
    },
  }
}

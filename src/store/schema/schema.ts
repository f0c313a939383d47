import { activity } from './activitySchema.ts'
import { certificates } from './certificateSchema.ts'
import { compact } from './compactSchema.ts'
import { contests } from './contestSchema.ts'
import { effects, sending, watching } from './effectSchema.ts'
import { files, ownFiles } from './fileSchema.ts'
import { gateway, leasing } from './gatewaySchema.ts'
import { histories } from './historySchema.ts'
import { judging, keptDeliverable } from './judgingSchema.ts'
import { learning } from './learningSchema.ts'
import { mandates } from './mandateSchema.ts'
import { browsing } from './market/browsingSchema.ts'
import { counted, keptCounts } from './market/countSchema.ts'
import { listedColumns } from './market/listedSchema.ts'
import { lists } from './market/listSchema.ts'
import { looks } from './market/lookSchema.ts'
import { market, records } from './market/marketSchema.ts'
import { ratings } from './market/ratingSchema.ts'
import type { Migration } from './migration.ts'
import { listedSchemes, outside } from './outsideSchema.ts'
import { packed } from './packedSchema.ts'
import { facilitated, paidCalls, takenOfCall } from './paidCallSchema.ts'
import { access } from './people/accessSchema.ts'
import { accounts } from './people/accountSchema.ts'
import { emails } from './people/emailSchema.ts'
import { passkeys } from './people/passkeySchema.ts'
import { personal } from './people/personSchema.ts'
import { programs } from './people/programSchema.ts'
import { plans } from './planSchema.ts'
import { answerParts, echoedExtensions, purchases, purchasesByButler, takenOfPurchase } from './purchaseSchema.ts'
import { keptAnswers, retention } from './retentionSchema.ts'
import { checkpoints, runs } from './runSchema.ts'
import { taskPushes } from './taskPushSchema.ts'
import { testDeliveryColumns, testJobs } from './testJobSchema.ts'
import { computedPrices, tokens } from './tokenSchema.ts'
import { turns } from './turnSchema.ts'
import { upgrades } from './upgradeSchema.ts'
import { uploads } from './uploadSchema.ts'
import { usage } from './usageSchema.ts'
import { validations } from './validationSchema.ts'
import { withdrawals, withdrawnAssets } from './withdrawalSchema.ts'

const bounds = [
  `create index run_open on run ("user", updated_at)
    where state in ('working', 'awaiting-input', 'awaiting-confirmation', 'awaiting-job')`,
]

// `revision` belongs to the search index and also grows when search learns, so it cannot serve as a version.
const versions = ['alter table agent add column version {BIGINT} not null default 1']

// The act of a message, offerings to pick from, further tasks of the message, and the preceding run of a run that started
// automatically.
const readings = [
  'alter table run add column act text',
  'alter table run add column choices {JSON}',
  'alter table run add column next_tasks {JSON}',
  'alter table run add column follows text',
  'alter table message add column act text',
]

// The name that its user gave a conversation, on one of its messages.
const named = ['alter table message add column title text']

// requeues: failures reported without a credential; keeps_open: the owner allows polling without a credential.
const pollers = [
  'alter table job add column requeues {BIGINT} not null default 0',
  'alter table agent_access add column keeps_open {BIGINT} not null default 0 check (keeps_open in (0, 1))',
]

// mark: the order in which changes of listings were committed; every process follows it (engine/db.ts, MARK and HORIZON).
const followed = [
  'alter table outbox add column mark {BIGINT}',
  `update outbox set done_at = created_at, held_until = null where topic = 'index' and done_at is null`,
  'create index outbox_mark on outbox (mark)',
]

/** All migrations, in order. A new one is an addition wherever the release before can go on beside it. */
export const migrations: Migration[] = [
  { version: 1, statements: [...market, ...runs, ...effects, ...checkpoints] },
  { version: 2, statements: sending },
  { version: 3, statements: watching },
  { version: 4, statements: access },
  { version: 5, statements: records },
  { version: 6, statements: gateway },
  { version: 7, statements: bounds },
  { version: 8, statements: learning },
  { version: 9, statements: mandates },
  { version: 10, statements: judging },
  { version: 11, statements: withdrawals },
  { version: 12, statements: keptDeliverable },
  { version: 13, statements: versions },
  { version: 14, statements: lists },
  { version: 15, statements: turns },
  { version: 16, statements: pollers },
  { version: 17, statements: readings },
  { version: 18, statements: followed },
  { version: 19, statements: paidCalls },
  { version: 20, statements: purchases },
  { version: 21, statements: leasing },
  { version: 22, statements: tokens },
  { version: 23, statements: testJobs },
  { version: 24, statements: browsing },
  { version: 25, statements: histories },
  { version: 26, statements: validations },
  { version: 27, statements: certificates },
  { version: 28, statements: retention },
  { version: 29, statements: keptCounts },
  { version: 30, statements: computedPrices },
  { version: 31, statements: keptAnswers },
  { version: 32, statements: withdrawnAssets },
  { version: 33, statements: purchasesByButler },
  { version: 34, statements: counted },
  { version: 35, statements: testDeliveryColumns },
  { version: 36, statements: packed },
  { version: 37, statements: listedColumns },
  { version: 38, statements: contests },
  { version: 39, statements: ratings },
  { version: 40, statements: answerParts },
  { version: 41, statements: compact },
  // No addition: releases before it keep no seat, and refuse the longer digests of consents that this one shows.
  { version: 42, statements: upgrades },
  { version: 43, statements: looks, isAddition: true },
  { version: 44, statements: echoedExtensions, isAddition: true },
  { version: 45, statements: programs, isAddition: true },
  { version: 46, statements: activity, isAddition: true },
  { version: 47, statements: plans, isAddition: true },
  { version: 48, statements: passkeys, isAddition: true },
  { version: 49, statements: personal, isAddition: true },
  { version: 50, statements: accounts, isAddition: true },
  { version: 51, statements: files, isAddition: true },
  { version: 52, statements: outside, isAddition: true },
  { version: 53, statements: uploads, isAddition: true },
  { version: 54, statements: emails, isAddition: true },
  { version: 55, statements: usage, isAddition: true },
  { version: 56, statements: [...facilitated, ...taskPushes], isAddition: true },
  { version: 57, statements: [...takenOfCall, ...takenOfPurchase], isAddition: true },
  { version: 58, statements: [...named, ...ownFiles], isAddition: true },
  { version: 59, statements: listedSchemes, isAddition: true },
]

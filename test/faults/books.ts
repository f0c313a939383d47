import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { startEmbeddedChain } from '../../src/chain/embeddedChain.ts'
import { createSealer, readMasterKey } from '../../src/chain/secrets.ts'
import { createWallets } from '../../src/chain/wallets.ts'
import { causes, isJobState, type JobEvent, next } from '../../src/domain/job.ts'
import { parseUsdc } from '../../src/domain/money.ts'
import { toDigest } from '../../src/domain/proposal.ts'
import type { RunEvent } from '../../src/domain/runEvent.ts'
import type { Chain, Job, Store } from '../../src/ports.ts'
import { openStore } from '../../src/store/store.ts'

type Books = { store: Store; chain: Chain }
/** What the user's wallet held before the hire, and all there was, as decimal text. */
export type Before = { proxy: string; usdc: string; total_supply: string }

/** Looks into the database and the chain of a service that was stopped, after its only run: one hire, paid once. */
export const expectSettledOnce = async (dir: string, runId: string, before: Before) => {
  expect(processesOf(dir)).toEqual([])
  const store = await openStore({ file: join(dir, 'market.db'), clock: { now: Date.now } })
  const wallets = createWallets({ store, sealer: createSealer(await readMasterKey({ file: join(dir, 'master.key') })) })
  const embedded = await startEmbeddedChain({ dir: join(dir, 'chain'), store, wallets, feeBps: 0 })
  try {
    const books = { store, chain: embedded.chain }
    const job = await expectOneRun(books, runId)
    await expectOnePayment(books, job, before)
    expectWholeLog(await store.runEvents(runId, 0, 500), job)
    await expectOneTransactionEach(books)
  } finally {
    await embedded.stop()
    await store.close()
  }
  expect(processesOf(dir)).toEqual([])
}

const expectOneRun = async ({ store }: Books, runId: string): Promise<Job> => {
  const job = await store.jobOfRun(runId)
  if (!job) throw new Error('the run has no job')
  expect(await store.runs({ user: job.user, limit: 10, offset: 0 })).toMatchObject([{ id: runId, state: 'completed' }])
  expect(await store.jobs({ limit: 10, offset: 0 })).toMatchObject([{ id: job.id, state: 'settled' }])
  return job
}

const expectOnePayment = async ({ store, chain }: Books, job: Job, before: Before) => {
  const events = await chain.events(0n, (await chain.head()).number)
  expect(events.map(it => it.name)).toEqual(['JobCreated', 'JobFunded', 'JobSubmitted', 'PaymentReleased'])
  expect(new Set(events.map(it => it.chainJobId))).toEqual(new Set([job.chainJobId]))

  const { agentWallet, userWallet, budget } = job
  expect(userWallet).toBe(before.proxy)
  expect(await chain.usdcBalance(agentWallet)).toBe(budget)
  expect(await chain.usdcBalance(userWallet)).toBe((parseUsdc(before.usdc, chain.usdcDecimals) ?? 0n) - budget)
  expect(await chain.usdcBalance(chain.addresses.escrow)).toBe(0n)
  expect(await chain.usdcSupply()).toBe(parseUsdc(before.total_supply, chain.usdcDecimals))

  const booked = await store.ledger({})
  expect(booked.map(it => [it.account, it.amount])).toEqual([
    [`wallet:${userWallet}`, -budget],
    [`escrow:${job.id}`, budget],
    [`escrow:${job.id}`, -budget],
    [`wallet:${agentWallet}`, budget],
  ])
}

const isEvent = (text: string): text is JobEvent => Object.hasOwn(causes, text)

const move = z.object({ from: z.string().refine(isJobState), event: z.string().refine(isEvent), to: z.string() })
/** Told once in a run, however often it was cut short. */
const single = ['proposed', 'confirmed', 'evaluated', 'payment.settled', 'answer']

/** Numbered without gap or twin; the terms are those proposed; the moves are a path of the table from open to settled. */
const expectWholeLog = (log: RunEvent[], job: Job) => {
  expect(log.map(it => it.seq)).toEqual(log.map((_, at) => at + 1))
  const told = (kind: string) => log.filter(it => it.kind === kind)
  for (const kind of single) expect(told(kind), kind).toHaveLength(1)
  expect(told('proposed')[0]?.data.proposal).toMatchObject({ digest: toDigest(job.terms) })
  expect(new Set(told('message').map(it => it.summary)).size).toBe(told('message').length)
  expect(told('transaction')).toHaveLength(3)
  expect(new Set(told('transaction').map(it => it.data.hash)).size).toBe(3)

  const [first, ...rest] = log.filter(it => it.kind.startsWith('job.'))
  expect(first?.kind).toBe('job.open')
  const moves = rest.map(it => move.parse(it.data))
  expect(moves.map(it => it.from)).toEqual(['open', ...moves.slice(0, -1).map(it => it.to)])
  for (const { from, event, to } of moves) expect(next(from, event), `${from} ${event}`).toBe(to)
  expect(moves.at(-1)?.to).toBe('settled')
}

/** One signed transaction an intent, and of each wallet the nonces 0, 1, 2 …: nothing was signed again. */
const expectOneTransactionEach = async ({ store, chain }: Books) => {
  const journal = await store.journal(chain.chainId)
  const intents = await Promise.all(journal.map(it => store.intentByHash(chain.chainId, it.hash)))
  expect(new Set(intents.map(it => it?.key)).size).toBe(journal.length)
  for (const [sender, sent] of Map.groupBy(journal, it => it.sender)) {
    const nonces = sent.map(it => it.nonce).sort((a, b) => a - b)
    expect(nonces, sender).toEqual(nonces.map((_, at) => at))
  }
}

/** Command lines of the processes that work in a folder. */
const processesOf = (dir: string): string[] =>
  spawnSync('ps', ['-A', '-ww', '-o', 'args='])
    .stdout.toString()
    .split('\n')
    .filter(line => line.includes(dir))

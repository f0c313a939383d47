import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAnvil } from '../../src/chain/embedded/devnode/anvil.ts'
import { createAsk } from '../../src/chain/embedded/devnode/ask.ts'
import type { Address } from '../../src/domain/hex.ts'
import { acceptDeliverable } from '../../src/operations/hires/judgeDeliverable.ts'
import { openJob } from '../../src/operations/hires/openJob.ts'
import { writeProposal } from '../../src/operations/hires/writeProposal.ts'
import { createTurns } from '../../src/operations/turns.ts'
import type { Job } from '../../src/ports.ts'
import { randomIds } from '../../src/process/system.ts'
import { createWakeups } from '../../src/process/wakeups.ts'
import { sendTransactions } from '../../src/workers/sendTransactions.ts'
import { watchChain } from '../../src/workers/watchChain.ts'
import { followers } from '../assembled.ts'
import { openWorld as openChainWorld } from '../chain/world.ts'
import { countUp, offering } from '../store/rows.ts'
import { createDeps } from '../world/deps.ts'

const unreached = async () => Promise.reject(new Error('no test goes here'))
const clock = { now: Date.now }

type Agent = { id: string; wallet: Address }

/** Hires on the embedded chain with real wallets. The workers run a step only when a test calls it. */
export const openReorgWorld = async ({ users, agents }: { users: number; agents: number }) => {
  const dir = await mkdtemp(join(tmpdir(), 'reorgs-'))
  const base = await openChainWorld({ dir, anvil: await writeRemembering(dir) })
  const { store, wallets, chain } = base
  const ask = createAsk(base.embedded.rpcUrl)
  const wakeups = createWakeups()
  const search = {
    put: unreached,
    remove: unreached,
    search: unreached,
    count: unreached,
    mark: unreached,
    setMark: unreached,
    close: unreached,
  }
  const deps = createDeps({
    ...{ store, wallets, wakeups, clock, chain, search },
    ids: randomIds,
    resources: { ask: unreached, buy: unreached, turns: createTurns({ atOnce: 1, waiting: 1 }) },
    settings: { publicUrl: 'http://127.0.0.1', local: true, allowsPrivate: true },
  })
  const people = await Promise.all(countUp(users).map(it => toUser(it)))
  for (const it of people) it.wallet = await base.client(it.user)
  const sellers: Agent[] = []
  for (const it of countUp(agents)) sellers.push(await addAgent(base, `agent-${it}`))
  const initial = new Map<Address, bigint>()
  for (const account of [...people.map(it => it.wallet), ...sellers.map(it => it.wallet), chain.treasury, chain.addresses.escrow])
    initial.set(account, await chain.usdcBalance(account))

  const watcher = watchChain({ store, chain })
  const sender = sendTransactions({ store, chain, followers })
  let runs = 0
  /** A failed step is repeated in the next round. */
  const step = async () => {
    const failures: unknown[] = []
    for (const worker of [sender, watcher]) await worker.runOnce().catch((error: unknown) => failures.push(error))
    return failures
  }
  return {
    ...base,
    followers,
    get chain() {
      return base.chain
    },
    deps,
    ask,
    step,
    initial,
    users: people,
    agents: sellers,
    /** The first block that a reorganisation may remove. */
    floor: (await chain.head()).number,

    async hire(who: number, whom: number): Promise<Job> {
      const user = people[who % people.length]?.user
      const agent = sellers[whom % sellers.length]
      const listing = agent && (await store.listing(agent.id, 'notes'))
      if (!listing || !user) throw new Error('no such listing')
      const run = await store.addRun({ id: `run-${++runs}`, conversationId: 'c', user, chainId: 97, task: 'task' })
      const proposal = await writeProposal(deps, { listing, input: '{}', reason: 'It fits.', others: [] })
      await store.addRunInput(run.id, 'consent', { kind: 'decision', decision: 'yes', digest: proposal.digest, text: 'yes' })
      const job = await openJob(deps, { runId: run.id }, proposal)
      if ('refusal' in job) throw new Error(job.words)
      return job
    },
    accept: (jobId: string) => acceptDeliverable(deps, jobId),
    jobs: async () => store.jobs({ limit: 10_000, offset: 0 }),
  }
}

export type ReorgWorld = Awaited<ReturnType<typeof openReorgWorld>>

/**
 * Writes an anvil configuration that keeps more states. By default anvil keeps only the last ones, which limits how far it can
 * go back.
 */
const writeRemembering = async (dir: string): Promise<string> => {
  const path = join(dir, 'anvil')
  const more = `$(echo "$@" | sed 's/--prune-history 16/--prune-history 5000/')`
  await writeFile(path, `#!/bin/sh\nexec ${findAnvil()} ${more}\n`, { mode: 0o700 })
  return path
}

const toUser = async (at: number): Promise<{ user: Address; wallet: Address }> => {
  const user: Address = `0x${String(at + 1).padStart(40, 'a')}`
  return { user, wallet: user }
}

const addAgent = async (
  { store, provider, chain }: Awaited<ReturnType<typeof openChainWorld>>,
  handle: string,
): Promise<Agent> => {
  const { chainId, addresses } = chain
  const key = `${chainId}:${handle}`
  const wallet = await provider(key)
  const id = `${chainId}:${addresses.registry}:${handle.length}${handle.slice(-1)}`
  const words = { name: handle, description: handle, endpointUrl: undefined, viaGateway: true, card: {} }
  await store.addAgent({ key, chainId, handle, owner: wallet, wallet, ...words })
  await store.putOfferings(key, [offering({ price: '0.5' })])
  await store.setAgentId(key, id)
  return { id, wallet }
}

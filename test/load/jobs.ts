import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedChain } from '../../src/chain/embedded/embeddedChain.ts'
import { createSealer } from '../../src/chain/signing/secrets.ts'
import { createWallets } from '../../src/chain/signing/wallets.ts'
import type { Address } from '../../src/domain/hex.ts'
import { waitUntil } from '../../src/operations/waiting.ts'
import type { Call, Intent } from '../../src/ports.ts'
import { createWakeups } from '../../src/process/wakeups.ts'
import { openStore } from '../../src/store/store.ts'
import { loop } from '../../src/workers/loop.ts'
import { sendTransactions } from '../../src/workers/sendTransactions.ts'
import { followers } from '../assembled.ts'
import { agreeTo, usdc } from '../chain/consents.ts'

const wallets = 32
const giveUpMs = 60_000

export type Jobs = Awaited<ReturnType<typeof openJobs>>

/** Opens an embedded chain with funded clients and providers, and a running sender. */
export const openJobs = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'bench-'))
  const clock = { now: Date.now }
  const wakeups = createWakeups()
  const store = await openStore({ file: join(dir, 'store.db'), clock, wakeups })
  const custody = createWallets({ store, sealer: createSealer(randomBytes(32)) })
  const onMined = () => wakeups.notify('intents')
  const spending = { job: '1000000', day: '1000000000' }
  const { chain, stop } = await startEmbeddedChain({
    dir: join(dir, 'chain'),
    store,
    wallets: custody,
    feeBps: 250,
    spending,
    onMined,
  })
  const ending = new AbortController()
  const onError = (worker: string, error: unknown) => process.stderr.write(`${worker}: ${String(error)}\n`)
  const sending = loop(sendTransactions({ store, chain, followers }), { wakeups, onError }, ending.signal)

  const confirmed = async (key: string): Promise<Intent> => {
    const at = { channel: `intent:${key}`, deadline: Date.now() + giveUpMs }
    const intent = await waitUntil({ wakeups, clock }, at, async () => {
      const now = await store.intent(key)
      return now?.state === 'confirmed' || now?.state === 'reverted' ? now : undefined
    })
    if (intent?.state !== 'confirmed') throw new Error(`${key} is ${intent?.state ?? 'not mined'}`)
    return intent
  }
  const settle = async (key: string, sender: Address, call: Call) => {
    await store.addIntents([{ key, chainId: chain.chainId, sender, call, after: undefined }])
    return confirmed(key)
  }

  const people = await Promise.all(
    Array.from({ length: wallets }, async (_, at) => {
      const client = await custody.ensure('user', `client-${at}`)
      const provider = await custody.ensure('agent', `97:provider-${at}`)
      for (const wallet of [client, provider])
        for (const nth of [0, 1, 2]) await settle(`gift:${wallet}:${nth}`, chain.treasury, chain.topUp(wallet))
      const mint = chain.faucet?.(client, usdc(1_000_000))
      if (mint) await settle(`mint:${client}`, chain.treasury, mint)
      return { client, provider }
    }),
  )

  // As in the watcher, each block is read once, however many jobs wait for it.
  const blocks = new Map<bigint, ReturnType<typeof chain.events>>()
  const eventsOf = (block: bigint) => {
    const events = blocks.get(block) ?? chain.events(block, block)
    blocks.set(block, events)
    return events
  }

  let runs = 0
  return {
    /** Runs one job from its hire to its payout. `tell` gets the ms of each transaction when it is mined. */
    async run(jobId: string, tell: (ms: number) => void) {
      const { client, provider } = people[runs++ % people.length] ?? { client: chain.treasury, provider: chain.treasury }
      const timed = async (key: string, sender: Address, call: Call) => {
        const started = performance.now()
        const intent = await settle(key, sender, call)
        tell(performance.now() - started)
        return intent
      }
      const { call } = await agreeTo(store, chain, { jobId, client, provider })
      const { hash = '0x' } = await timed(`job:${jobId}:hire`, client, call)
      const receipt = await chain.receipt(hash)
      const events = receipt ? await eventsOf(receipt.blockNumber) : []
      const created = events.find(it => it.name === 'JobCreated' && it.jobKey === jobId)
      if (!created) throw new Error(`no job ${jobId} on chain`)
      await timed(`job:${jobId}:submit`, provider, chain.submit(created.chainJobId, 'work'))
      await timed(`job:${jobId}:complete`, chain.evaluator, chain.complete(created.chainJobId, 'fits'))
    },
    async close() {
      ending.abort()
      await sending
      await stop()
      await store.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

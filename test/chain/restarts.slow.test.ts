import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { type Ask, createAsk } from '../../src/chain/embedded/devnode/ask.ts'
import { startDevnode } from '../../src/chain/embedded/devnode.ts'
import { address } from '../../src/domain/hex.ts'
import { openWorld, type World } from './world.ts'

const freshWorld = async () => {
  const world = await openWorld()
  onTestFinished(() => world.close())
  return world
}

/** Creates two jobs, one of them paid, and returns everything about them that a restart must not change. */
const trade = async (world: World) => {
  const [client, provider] = [await world.client('alice'), await world.provider('97:echo')]
  const first = await world.hired('job_first', client, provider)
  const second = await world.hired('job_second', client, provider)
  await world.settle(provider, world.chain.submit(second.chainJobId, 'work'))
  await world.settle(world.chain.evaluator, world.chain.complete(second.chainJobId, 'ok'))
  return { client, provider, first, second }
}

const standing = async ({ chain, store }: World, { client, provider, first, second }: Awaited<ReturnType<typeof trade>>) => ({
  balances: await Promise.all([client, provider, chain.treasury, chain.addresses.escrow].map(chain.usdcBalance)),
  jobs: await Promise.all([first, second].map(it => chain.job(it.chainJobId))),
  receipts: await Promise.all(
    (await store.journal(97)).map(async ({ hash }) => {
      const receipt = await chain.receipt(hash)
      return receipt && { ...receipt, blockHash: undefined }
    }),
  ),
  events: (await chain.events(0n, (await chain.head()).number)).map(event => ({ ...event, blockHash: undefined })),
})

const killNode = async (world: World) => {
  const pid = world.embedded.pid()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => world.embedded.pid(), { interval: 5, timeout: 10_000 }).not.toBe(pid)
  await world.embedded.ready()
}

test('a clean restart finds balances, jobs and receipts as they were', async () => {
  const world = await freshWorld()
  const traded = await trade(world)
  const before = await standing(world, traded)
  await world.restart()
  expect(await standing(world, traded)).toEqual(before)
  expect((await world.hired('job_third', traded.client, traded.provider)).chainJobId).toBe(3n)
})

test('a killed node restarts by itself with the same job ids, balances, times and transaction hashes', async () => {
  const world = await freshWorld()
  const traded = await trade(world)
  const before = await standing(world, traded)
  await killNode(world)
  expect(await standing(world, traded)).toEqual(before)

  const { receipt, chainJobId } = await world.hired('job_third', traded.client, traded.provider)
  expect(chainJobId).toBe(3n)
  expect(Math.abs(receipt.blockTime - Date.now())).toBeLessThan(5_000)
})

test("a killed node has a stranger's transaction again, with the same hash and in the same block", async () => {
  const world = await freshWorld()
  const ask = createAsk(world.embedded.rpcUrl)
  const stranger = privateKeyToAccount(generatePrivateKey())
  const raw = await stranger.signTransaction({ type: 'eip1559', chainId: 97, nonce: 0, to: stranger.address, gas: 21_000n })
  await ask('eth_sendRawTransaction', raw)
  await world.client('alice')
  const receipt = async () => placed.safeParse(await ask('eth_getTransactionReceipt', keccak256(raw))).data
  await expect.poll(receipt, { timeout: 10_000 }).toMatchObject({ status: '0x1' })
  const before = await receipt()
  await killNode(world)
  expect(await receipt()).toEqual(before)
})

const placed = z.object({ status: z.string(), blockNumber: z.string() })

const blockLogs = async (dir: string): Promise<string> => {
  const names = (await readdir(join(dir, 'chain'))).filter(name => name.startsWith('blocks-'))
  return (await Promise.all(names.map(name => readFile(join(dir, 'chain', name), 'utf8')))).join('')
}

test('a mined transaction that was not recorded is mined again at its old position', async () => {
  const world = await freshWorld()
  const clients = [await world.client('alice'), await world.client('bob')]
  const provider = await world.provider('97:echo')
  const sent = []
  for (const [index, client] of clients.entries()) {
    const { call, purpose } = await world.agreed({ jobId: `job_${index}`, client, provider })
    sent.push(await world.send(client, call, purpose))
  }
  const places = await Promise.all(sent.map(it => world.mined(it.hash)))
  const hashes: string[] = sent.map(it => it.hash)
  // A receipt can be available a moment before its block is in the log.
  await vi.waitFor(async () => {
    const logged = await blockLogs(world.dir)
    expect(hashes.filter(hash => !logged.includes(hash))).toEqual([])
  })
  await killNode(world)
  const again = await Promise.all(sent.map(it => world.mined(it.hash)))
  expect(again.map(it => ({ ...it, blockHash: '' }))).toEqual(places.map(it => ({ ...it, blockHash: '' })))
})

test('a chain whose directory is lost is rebuilt from the journal', async () => {
  const world = await freshWorld()
  const traded = await trade(world)
  const before = await standing(world, traded)
  await world.embedded.stop()
  await rm(join(world.dir, 'chain'), { recursive: true })
  await world.restart()
  expect(await standing(world, traded)).toEqual(before)
})

test('a truncated newest checkpoint falls back to the one before', async () => {
  const world = await freshWorld()
  const traded = await trade(world)
  await world.embedded.checkpoint()
  const third = await world.hired('job_third', traded.client, traded.provider)
  const before = await standing(world, traded)
  await world.embedded.stop()

  const stored = (await readdir(join(world.dir, 'chain'))).filter(name => name.startsWith('checkpoint-')).sort()
  expect(stored).toHaveLength(2)
  const newest = join(world.dir, 'chain', stored.at(-1) ?? '')
  await truncate(newest, (await readFile(newest)).length - 100)
  await world.restart()
  expect(await standing(world, traded)).toEqual(before)
  expect((await world.chain.job(third.chainJobId)).status).toBe('funded')
})

test('blocks newer than the newest checkpoint are replayed on top of it, not from the first block', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'newer-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const account = privateKeyToAccount(generatePrivateKey())
  const sender = address.parse(account.address.toLowerCase())
  const hourMs = 3_600_000
  const begun = Math.floor(Date.now() / hourMs) * hourMs - 3 * hourMs
  const entries = [0, 1].map(async nonce => {
    const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n }
    const raw = await account.signTransaction({ type: 'eip1559', chainId: 97, nonce, to: sender, gas: 21_000n, ...fees })
    const mined = { blockNumber: BigInt(nonce + 1), blockTime: begun + nonce * hourMs, index: 0 }
    return { hash: keccak256(raw), raw, nonce, sender, mined }
  })
  const [older, newer] = await Promise.all(entries)
  const first = await startDevnode({
    dir,
    chainId: 97,
    journal: async () => (older ? [older] : []),
    genesis: async ask => void (await ask('anvil_setBalance', sender, '0xde0b6b3a7640000')),
  })
  await first.stop()

  const second = await startDevnode({
    dir,
    chainId: 97,
    journal: async () => (older && newer ? [older, newer] : []),
    genesis: () => Promise.reject(new Error('made anew')),
  })
  const found = await createAsk(second.rpcUrl)('eth_getBlockByNumber', '0x2', false)
  await second.stop()
  expect(found).toMatchObject({ transactions: [newer?.hash], timestamp: `0x${((begun + hourMs) / 1_000).toString(16)}` })
})

test('a transaction whose block is not recorded is mined again before the later one of its wallet', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'gap-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const account = privateKeyToAccount(generatePrivateKey())
  const sender = address.parse(account.address.toLowerCase())
  const mined = { blockNumber: 1n, blockTime: Math.floor(Date.now() / 1_000) * 1_000, index: 1 }
  const signed = async (nonce: number, data: `0x${string}` = '0x') => {
    const raw = await account.signTransaction({ type: 'eip1559', chainId: 97, nonce, to: sender, gas: 30_000n, data })
    return { hash: keccak256(raw), raw, nonce, sender }
  }
  const [first, again, second] = await Promise.all([signed(0), signed(0, '0x01'), signed(1)])
  const journal = [{ ...second, mined }, ...[first, again].map(it => ({ ...it, mined: undefined }))]
  const node = await startDevnode({ dir, chainId: 97, journal: async () => journal })
  onTestFinished(node.stop)

  const receipts = [first, second].map(async it =>
    placed.parse(await createAsk(node.rpcUrl)('eth_getTransactionReceipt', it.hash)),
  )
  expect(await Promise.all(receipts)).toMatchObject([{ blockNumber: '0x1' }, { blockNumber: '0x1' }])
})

test('transactions that others send to the node during a replay do not keep the chain from its start', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'foreign-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const [ours, foreign] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
  const sign = (account: typeof ours) =>
    account.signTransaction({ type: 'eip1559', chainId: 97, nonce: 0, to: ours.address, gas: 21_000n })
  const [raw, other] = await Promise.all([sign(ours), sign(foreign)])
  const mined = { blockNumber: 1n, blockTime: Math.floor(Date.now() / 1_000) * 1_000, index: 0 }
  const sender = address.parse(ours.address.toLowerCase())
  const node = await startDevnode({
    dir,
    chainId: 97,
    journal: async () => [{ hash: keccak256(raw), raw, nonce: 0, sender, mined }],
    genesis: async ask => void (await ask('eth_sendRawTransaction', other)),
  })
  onTestFinished(node.stop)
  const ask = createAsk(node.rpcUrl)
  const receipts = await Promise.all([raw, other].map(it => ask('eth_getTransactionReceipt', keccak256(it))))
  expect(receipts).toMatchObject([{ blockNumber: '0x1' }, { status: '0x1' }])
})

test('a state of any size is saved and loaded again', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'large-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const code = randomBytes(24_000).toString('hex')
  const last = `0x${'c0de'.padStart(36, '0')}0220`
  // 5 MB that do not compress: the dump has 12 MB of hex digits, more than viem accepts by default.
  const genesis = async (ask: Ask) => {
    for (let at = 1; at <= 220; at++)
      await ask('anvil_setCode', last.replace(/0220$/, String(at).padStart(4, '0')), `0x${code}${at + 1_000}`)
  }
  const first = await startDevnode({ dir, chainId: 97, journal: async () => [], genesis })
  await first.checkpoint()
  await first.stop()

  const second = await startDevnode({
    dir,
    chainId: 97,
    journal: async () => [],
    genesis: () => Promise.reject(new Error('made anew')),
  })
  const found = await createAsk(second.rpcUrl)('eth_getCode', last, 'latest')
  await second.stop()
  expect(found).toBe(`0x${code}1220`)
})

test.each([
  ['as it was', async () => undefined],
  ['lost', (dir: string) => rm(dir, { recursive: true })],
])('a node left behind by a killed service is stopped at the next start, with the folder of its chain %s', async (_, change) => {
  const world = await freshWorld()
  const traded = await trade(world)
  const before = await standing(world, traded)
  await world.embedded.stop()
  await world.store.close()

  const masterKey = Buffer.from(world.masterKey).toString('hex')
  const keeper = spawn(process.execPath, [new URL('keeper.ts', import.meta.url).pathname, world.dir, masterKey], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(keeper.stdout.setEncoding('utf8'), 'data')
  const orphan = Number(line)
  keeper.kill('SIGKILL')
  await once(keeper, 'exit')
  expect(isAlive(orphan)).toBe(true)
  await change(join(world.dir, 'chain'))

  const next = await openWorld(world)
  onTestFinished(() => next.close())
  expect(isAlive(orphan)).toBe(false)
  expect(await standing(next, traded)).toEqual(before)
})

test('two services cannot share a chain, and no process is left after the stop', async () => {
  const world = await freshWorld()
  const pid = world.embedded.pid()
  const dir = join(world.dir, 'chain')
  await expect(startDevnode({ dir, chainId: 97, journal: async () => [] })).rejects.toThrow(/in use/)
  expect(isAlive(pid)).toBe(true)
  await world.embedded.stop()
  expect(isAlive(pid)).toBe(false)
  await expect(world.chain.head()).rejects.toMatchObject({ type: 'chain-unavailable' })
})

test('a system without anvil gets an error that names the setting to use instead', async () => {
  const world = await freshWorld()
  const dir = join(world.dir, 'other')
  const start = startDevnode({ dir, chainId: 97, journal: async () => [], binary: join(dir, 'no-anvil') })
  await expect(start).rejects.toThrow(/RPC_URL_97/)
})

// A zombie process, which its parent has not reaped yet, does not count.
const isAlive = (pid: number): boolean =>
  /^[^Z]/.test(
    spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`])
      .stdout.toString()
      .trim(),
  )

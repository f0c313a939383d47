import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { reputationRegistryAbi, reputationRegistryBytecode } from '../../../src/chain/contracts/artifacts/ReputationRegistry.ts'
import { testUsdcAbi } from '../../../src/chain/contracts/artifacts/TestUsdc.ts'
import { createAsk } from '../../../src/chain/embedded/devnode/ask.ts'
import { lower } from '../../../src/chain/rpc/checksum.ts'
import { createSealer, readMasterKey } from '../../../src/chain/signing/secrets.ts'
import { createWallets } from '../../../src/chain/signing/wallets.ts'
import { parseUsdc } from '../../../src/domain/money/money.ts'
import { openStore } from '../../../src/store/store.ts'
import { tables } from '../../assembled.ts'
import { startExternal } from '../../chain/external.ts'
import { openWithClosers } from '../../closers.ts'
import { always, audit, auditAtRest } from '../audit/audit.ts'
import { openLedgers } from '../audit/ledgers.ts'
import { openCheat } from '../cheat.ts'
import { beginLife } from '../life.ts'
import { drummer, rhymer } from '../provider.ts'
import { openUser } from '../user.ts'
import { startMiner } from './miner.ts'
import { startRpcProxy } from './rpcProxy.ts'

const feeBps = 250
const users = 4
const usdcOfUser = 1_000_000_000n
/** Enough for some hires, but not for all. */
const mandate = { max_per_job: '0.4', max_per_period: '2', period: 'month' }
const decimals = 6
const toTold = ({ mandate_id: id, used }: { mandate_id: string; used: string }) => ({
  id,
  used: parseUsdc(used, decimals) ?? 0n,
  now: Date.now(),
})
/** Blocks below any reorganisation, so that the users' starting balances stay. */
const bedrock = 20

/** A service in its own process on an external node, which it reaches through a proxy that may falsify responses. */
export const openChainMarket = () => openWithClosers(open)

const open = async (whenClosing: (close: () => Promise<unknown>) => void) => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-chain-'))
  whenClosing(() => rm(dir, { recursive: true, force: true }))
  const external = await startExternal()
  whenClosing(external.stop)
  const { client } = external
  const treasury = await treasuryOf(dir)
  await client.setBalance({ address: treasury, value: parseEther('1000') })
  const usdc = await external.deployUsdc(decimals)
  const registry = await external.deployRegistry(treasury)
  const reputation = await external.deploy({ abi: reputationRegistryAbi, bytecode: reputationRegistryBytecode }, [registry])
  const escrow = await external.deployEscrow(usdc, { treasury, feeBps })
  const miner = await startMiner(client)
  whenClosing(miner.stop)
  const proxy = await startRpcProxy(external.url)
  whenClosing(proxy.stop)

  const names = {
    LOCAL_WORLD: 'true',
    RPC_URL_97: proxy.url,
    ESCROW_97: escrow,
    USDC_97: usdc,
    REGISTRY_97: registry,
    REPUTATION_97: reputation,
  }
  const life = beginLife({ dir, port: 0, env: { ...names, CONFIRMATIONS_97: '2', LOG_LEVEL: 'silent' } })
  const stop = async () => {
    life.stop()
    return { ...(await life.ended), words: await life.words }
  }
  whenClosing(stop)
  const url = await life.url
  if (!url) throw new Error(`no service: ${await life.words}`)
  for (const it of [rhymer(url), drummer(url)]) whenClosing((await it.start()).stop)
  const ledgers = openLedgers(join(dir, 'market.db'))
  whenClosing(async () => ledgers.close())
  const people = await Promise.all(Array.from({ length: users }, (_, at) => openUser({ url, dir, name: `user${at}` })))
  const privateKey = generatePrivateKey()
  for (const wallet of [...people.map(it => it.proxy), privateKeyToAccount(privateKey).address]) {
    const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [lower(wallet), usdcOfUser] })
    await external.send(usdc, data)
  }
  const payer = openCheat({
    ...{ url: `${url}/x402/agents/drummer/offerings/beats`, body: { message: 'tam tata' } },
    ...{ privateKey, node: () => ({ rpcUrl: external.url, usdc }) },
  })
  // Half of the users have a mandate and are not asked until its limit.
  for (const it of people.slice(users / 2)) await it.allow(mandate)
  await miner.blocks(bedrock)
  const place = { ledgers, rpcUrl: external.url, escrow, usdc, reputation, toldOnce: always }
  const toldOf = async () => (await Promise.all(people.map(it => it.mandates()))).flat().map(toTold)
  return {
    users: people,
    payer,
    client,
    ask: createAsk(external.url),
    miner,
    proxy,
    ledgers,
    ended: life.ended,
    stop,
    audit: () => auditAtRest(ledgers, async () => audit({ ...place, told: await toldOf(), claims: payer.claims })),
  }
}

/** The treasury address of a service that has not started yet, which the escrow's constructor needs. */
const treasuryOf = async (dir: string) => {
  const store = await openStore({ file: join(dir, 'market.db'), tables, clock: { now: Date.now } })
  const sealer = createSealer(await readMasterKey({ hex: undefined, file: join(dir, 'master.key') }))
  const treasury = await createWallets({ store, sealer }).ensure('treasury', '')
  await store.close()
  return treasury
}

export type ChainMarket = Awaited<ReturnType<typeof openChainMarket>>

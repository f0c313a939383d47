import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, parseEther } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { testUsdcAbi } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { lower } from '../../src/chain/rpc/checksum.ts'
import { readConfig } from '../../src/config.ts'
import { backUp, restore } from '../../src/operator/backup.ts'
import { startService } from '../../src/service.ts'
import { deployer, startExternal } from '../chain/external.ts'
import { balancesOf, paymentsOf, plain, readRun, rested, talk } from '../hire/market.ts'
import { readerDir } from '../reader.ts'
import { openUser, startTestService, type TestService, until } from '../service.ts'

const holding = 10_000_000n

/** A service on a chain that goes on while the service is restored. */
const openMarket = async () => {
  const external = await startExternal()
  onTestFinished(external.stop)
  const [usdc, registry] = [await external.deployUsdc(6), await external.deployRegistry()]
  const escrow = await external.deployEscrow(usdc, { treasury: deployer, feeBps: 0 })
  const env = { RPC_URL_97: external.url, ESCROW_97: escrow, USDC_97: usdc, REGISTRY_97: registry, CONFIRMATIONS_97: '0' }
  const market = await startTestService({ env })
  onTestFinished(market.stop)
  const treasury = await market.service.world.deps.wallets.ensure('treasury', '')
  await external.client.setBalance({ address: treasury, value: parseEther('10') })
  const ann = await market.user('ann')
  const args = [lower(ann.proxy), holding] as const
  await external.send(usdc, encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args }))
  return { env, market, ann }
}

const credential = { privateKey: generatePrivateKey() }
const poet = (handler: () => Promise<string>) => ({
  ...{ handle: 'poet', offerings: [plain('0.5')], handler, credential, pollPauseMs: 50 },
})

/** Stops the service, and starts another one on the backup in another folder, at the same address. */
const startFrom = async (backup: string, market: TestService, env: Record<string, string>) => {
  await market.service.stop()
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-restored-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = new URL(market.url).port
  const config = { ...readConfig({ ...env, PORT: port, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' }), readerDir }
  await restore(config, backup)
  const service = await startService({ config })
  onTestFinished(service.stop)
  return openUser(service.url, join(market.dir, 'ann.json'))
}

test('a restored backup takes over what was paid after it, gives back escrows that it does not know, and hires on', async () => {
  const { env, market, ann } = await openMarket()
  const works = Promise.withResolvers<string>()
  const first = await market.agent(poet(() => works.promise))
  const chat = talk(ann)
  await chat.say('Hire agent poet to write a haiku')
  const { run_id: known } = await chat.say('yes', 0)
  await until('the agent to have the job', async () => (await readRun(ann, known)).job?.state === 'leased')
  const backup = join(market.dir, 'backup')
  await backUp(readConfig({ DATA_DIR: market.dir }), backup)

  works.resolve('An old silent pond')
  expect((await rested(ann, known)).job?.state).toBe('settled')
  await first.stop()
  const later = talk(ann)
  await later.say('Hire agent poet to write a haiku')
  await later.say('yes', 0)
  await until('the second escrow', async () => (await balancesOf(ann)).escrow === 0.5)

  const same = await startFrom(backup, market, env)
  await until('the payment to be found', async () => (await readRun(same, known)).job?.state === 'settled')
  expect((await rested(same, known)).content).toContain('ask poet for it')
  expect((await paymentsOf(same, known)).map(it => [it.type, it.amount])).toEqual([
    ['escrow', '0.5'],
    ['payout', '0.5'],
  ])
  await until('the unknown escrow to be given back', async () => (await balancesOf(same)).escrow === 0)
  expect((await balancesOf(same)).user).toBe(9.5)

  await market.agent(poet(async () => 'A frog jumps in'))
  const next = talk(same)
  await next.say('Hire agent poet to write a haiku')
  const { run_id: fresh } = await next.say('yes')
  expect((await rested(same, fresh)).job?.state).toBe('settled')
  expect((await balancesOf(same)).user).toBe(9)
})

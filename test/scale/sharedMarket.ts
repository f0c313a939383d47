import { randomBytes } from 'node:crypto'
import { encodeFunctionData, parseEther } from 'viem'
import { testUsdcAbi } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { lower } from '../../src/chain/rpc/checksum.ts'
import { createSealer } from '../../src/chain/signing/secrets.ts'
import { createWallets } from '../../src/chain/signing/wallets.ts'
import type { Clock } from '../../src/ports.ts'
import { openStore } from '../../src/store/store.ts'
import { startExternal } from '../chain/external.ts'
import { startTestService, type TestService } from '../service.ts'
import { newDatabase } from '../store/server.ts'

const usdcOfUser = 1_000_000_000n

/**
 * Starts several services on one PostgreSQL database and one node of chain 97.
 * @param clock the clock of the services; default: the machine's
 */
export const openSharedMarket = async (count: number, clock?: Clock) => {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (let next = closers.pop(); next; next = closers.pop()) await next()
  }
  try {
    const database = await newDatabase()
    closers.push(database.remove)
    const external = await startExternal()
    closers.push(external.stop)
    const masterKey = randomBytes(32)
    const treasury = await treasuryOf(database.place.url, masterKey)
    await external.client.setBalance({ address: treasury, value: parseEther('1000') })
    const usdc = await external.deployUsdc(6)
    const chain = {
      RPC_URL_97: external.url,
      USDC_97: usdc,
      REGISTRY_97: await external.deployRegistry(),
      ESCROW_97: await external.deployEscrow(usdc, { treasury, feeBps: 0 }),
      CONFIRMATIONS_97: '0',
    }
    const env = {
      ...chain,
      DATABASE_URL: database.place.url,
      MASTER_KEY: masterKey.toString('hex'),
      ALLOW_PRIVATE_ENDPOINTS: 'true',
    }
    const services: TestService[] = []
    for (let at = 0; at < count; at += 1) {
      const service = await startTestService({ env, ...(clock && { clock }) })
      closers.push(service.stop)
      services.push(service)
    }
    const mint = async (wallet: string) => {
      const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [lower(wallet), usdcOfUser] })
      await external.send(usdc, data)
    }
    return { services, mint, databaseUrl: database.place.url, close }
  } catch (error) {
    await close()
    throw error
  }
}

export type SharedMarket = Awaited<ReturnType<typeof openSharedMarket>>

/** Creates the treasury wallet before the first service starts, because the escrow is deployed with its address. */
const treasuryOf = async (url: string, masterKey: Buffer) => {
  const store = await openStore({ url, clock: { now: Date.now } })
  const treasury = await createWallets({ store, sealer: createSealer(masterKey) }).ensure('treasury', '')
  await store.close()
  return treasury
}

import { randomBytes } from 'node:crypto'
import { encodeFunctionData, parseEther } from 'viem'
import { reputationRegistryAbi, reputationRegistryBytecode } from '../../../src/chain/contracts/artifacts/ReputationRegistry.ts'
import { testUsdcAbi } from '../../../src/chain/contracts/artifacts/TestUsdc.ts'
import { lower } from '../../../src/chain/rpc/checksum.ts'
import { createSealer } from '../../../src/chain/signing/secrets.ts'
import { createWallets } from '../../../src/chain/signing/wallets.ts'
import { openStore } from '../../../src/store/store.ts'
import { tables } from '../../assembled.ts'
import { startExternal } from '../../chain/external.ts'
import { startRpcProxy } from '../real/rpcProxy.ts'

const decimals = 6
const usdcOfUser = 1_000_000_000n

/** A node of chain 97 with the contracts of a market, and the settings of the processes that share it and a database. */
export const openSharedChain = async (databaseUrl: string) => {
  const external = await startExternal()
  const proxy = await startRpcProxy(external.url)
  const stop = () => Promise.all([proxy.stop(), external.stop()])
  try {
    const masterKey = randomBytes(32)
    const treasury = await treasuryOf(databaseUrl, masterKey)
    await external.client.setBalance({ address: treasury, value: parseEther('1000') })
    const usdc = await external.deployUsdc(decimals)
    const registry = await external.deployRegistry(treasury)
    const reputation = await external.deploy({ abi: reputationRegistryAbi, bytecode: reputationRegistryBytecode }, [registry])
    const escrow = await external.deployEscrow(usdc, { treasury, feeBps: 0 })
    const chain = {
      LOCAL_WORLD: 'true',
      RPC_URL_97: proxy.url,
      USDC_97: usdc,
      REGISTRY_97: registry,
      REPUTATION_97: reputation,
      ESCROW_97: escrow,
    }
    const secrets = { DATABASE_URL: databaseUrl, MASTER_KEY: masterKey.toString('hex') }
    return {
      env: { ...chain, ...secrets, CONFIRMATIONS_97: '0', ALLOW_PRIVATE_ENDPOINTS: 'true' },
      place: { rpcUrl: external.url, escrow, usdc, reputation },
      proxy,
      mint: (wallet: string) => {
        const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [lower(wallet), usdcOfUser] })
        return external.send(usdc, data)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The treasury, made before the first service starts, because the escrow names it. */
const treasuryOf = async (url: string, masterKey: Buffer) => {
  const store = await openStore({ url, tables, clock: { now: Date.now } })
  const treasury = await createWallets({ store, sealer: createSealer(masterKey) }).ensure('treasury', '')
  await store.close()
  return treasury
}

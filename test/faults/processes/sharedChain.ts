import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, parseEther } from 'viem'
import { reputationRegistryAbi, reputationRegistryBytecode } from '../../../src/chain/contracts/artifacts/ReputationRegistry.ts'
import { testUsdcAbi } from '../../../src/chain/contracts/artifacts/TestUsdc.ts'
import { lower } from '../../../src/chain/rpc/checksum.ts'
import { type Address, address } from '../../../src/domain/hex.ts'
import { deployer, startExternal } from '../../chain/external.ts'
import { beginLife, home } from '../life.ts'
import { startRpcProxy } from '../real/rpcProxy.ts'
import { askAt } from './cluster.ts'

const decimals = 6
const usdcOfUser = 1_000_000_000n

/**
 * A node of chain 97 with the contracts of a market, and the settings of the processes that share it and a database.
 * @param root the folder of the release that makes the tables
 */
export const openSharedChain = async (databaseUrl: string, root = home) => {
  const external = await startExternal()
  const proxy = await startRpcProxy(external.url)
  const stop = () => Promise.all([proxy.stop(), external.stop()])
  try {
    const secrets = { DATABASE_URL: databaseUrl, MASTER_KEY: randomBytes(32).toString('hex') }
    const usdc = await external.deployUsdc(decimals)
    const decoy = await external.deployEscrow(usdc, { treasury: deployer, feeBps: 1 })
    const unfit = { RPC_URL_97: proxy.url, USDC_97: usdc, REGISTRY_97: await external.deployRegistry(), ESCROW_97: decoy }
    const treasury = await treasuryOf(databaseUrl, { env: { ...secrets, ...unfit }, root })
    await external.client.setBalance({ address: treasury, value: parseEther('1000') })
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

type Making = { env: Record<string, string>; root: string }

/**
 * The treasury, which the contracts name. A service makes it before it refuses an escrow whose fee goes elsewhere, so this works
 * with every release.
 */
const treasuryOf = async (url: string, { env, root }: Making): Promise<Address> => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-treasury-'))
  const life = beginLife({ dir, port: 0, env: { ...env, ALLOW_PRIVATE_ENDPOINTS: 'true', LOG_LEVEL: 'silent' } }, root)
  try {
    if (!(await life.url)) throw new Error(`no service: ${await life.words}`)
    return address.parse((await askAt(url, `select address from wallet where role = 'treasury'`))[0]?.address)
  } finally {
    life.stop()
    await life.ended
    await rm(dir, { recursive: true, force: true })
  }
}

import { parseEther } from 'viem'
import { z } from 'zod'
import { testUsdcAbi } from '../../../src/chain/contracts/artifacts/TestUsdc.ts'
import { lower } from '../../../src/chain/rpc/checksum.ts'
import { outsideTables } from '../../../src/features/outside/ports.ts'
import { outsideHit } from '../../../src/records/outside.ts'
import { startExternal } from '../../chain/external.ts'
import { people } from '../../contracts/world.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'

/** A node with a USDC, on which several markets can run, each with contracts of its own. */
export const startSharedChain = async () => {
  const external = await startExternal()
  const usdc = await external.deployUsdc(6)
  return {
    usdc,
    held: (of: string) =>
      external.client.readContract({ address: usdc, abi: testUsdcAbi, functionName: 'balanceOf', args: [lower(of)] }),
    /** Starts a market on the chain. @param catalogues what it reads */
    async market(catalogues: string[] = [], env: Record<string, string> = {}): Promise<TestService> {
      const escrow = await external.deployEscrow(usdc, { treasury: people.treasury.address, feeBps: 0 })
      const registry = await external.deployRegistry()
      const chain = { RPC_URL_97: external.url, ESCROW_97: escrow, USDC_97: usdc, REGISTRY_97: registry, CONFIRMATIONS_97: '0' }
      const local = { ALLOW_PRIVATE_ENDPOINTS: 'true', ...(catalogues.length > 0 && { CATALOGUES: catalogues.join(',') }) }
      const market = await startTestService({ env: { ...chain, LOG_LEVEL: 'silent', ...local, ...env } })
      const treasury = await market.service.world.deps.wallets.ensure('treasury', '')
      await external.client.setBalance({ address: treasury, value: parseEther('10') })
      return market
    },
    /** Gives USDC to a user's custodial wallet. */
    async fund(user: User, amount: bigint) {
      const call = { address: usdc, abi: testUsdcAbi, functionName: 'mint', args: [lower(user.proxy), amount] } as const
      await external.mined(external.client.writeContract({ ...call, account: people.deployer }))
    },
    stop: external.stop,
  }
}

const hits = z.object({ outside: z.array(outsideHit) })

/** What a search finds outside. */
export const findOutside = async (user: User, query: string) =>
  hits.parse(await user.client.get(`/offerings/search?query=${encodeURIComponent(query)}`)).outside

/** Waits until each listing of the catalogues was checked once. */
export const untilChecked = (market: TestService, count: number) =>
  until('the checks', async () => {
    const { store, wakeups } = market.service.world.deps
    wakeups.notify('catalogues')
    wakeups.notify('probes')
    const listed = await outsideTables(store).changedListings(0, 1_000)
    const open = listed.filter(it => it.refusal === '' && it.probedAt === undefined)
    return listed.length >= count && open.length === 0 && listed
  })

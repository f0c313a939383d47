import { type Abi, createTestClient, http, publicActions, walletActions, zeroAddress } from 'viem'
import { bscTestnet } from 'viem/chains'
import { agentRegistryAbi, agentRegistryBytecode } from '../../src/chain/contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi, jobEscrowBytecode } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { testUsdcAbi, testUsdcBytecode } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { lower } from '../../src/chain/rpc/checksum.ts'
import type { Address, Hex } from '../../src/domain/hex.ts'
import { minedBy, people, startNode } from '../contracts/world.ts'

export const deployer = lower(people.deployer.address)

/** Starts a plain node, of chain 97 unless another one is named, and returns functions that deploy contracts on it. */
export const startExternal = async ({ chainId = 97, more = [] }: { chainId?: number; more?: string[] } = {}) => {
  const node = await startNode({ chainId, more })
  const client = createTestClient({
    mode: 'anvil',
    chain: { ...bscTestnet, id: chainId },
    transport: http(node.url),
    pollingInterval: 5,
  })
    .extend(publicActions)
    .extend(walletActions)

  const mined = minedBy(client)
  const send = (to: Address, data: Hex) => mined(client.sendTransaction({ account: people.deployer, to, data }))
  const deploy = async ({ abi, bytecode }: { abi: Abi; bytecode: Hex }, args: unknown[] = []): Promise<Address> => {
    const { contractAddress } = await mined(client.deployContract({ abi, bytecode, args, account: people.deployer }))
    if (!contractAddress) throw new Error('nothing was deployed')
    return lower(contractAddress)
  }
  return {
    ...node,
    client,
    mined,
    send,
    deploy,
    deployUsdc: (decimals: number) =>
      deploy({ abi: testUsdcAbi, bytecode: testUsdcBytecode }, ['USD Coin', 'USDC', decimals, deployer]),
    deployEscrow: (token: Address, of: { treasury: Address; feeBps: number }) =>
      deploy({ abi: jobEscrowAbi, bytecode: jobEscrowBytecode }, [token, of.treasury, of.feeBps, zeroAddress]),
    /** The registrar may register agents for others. */
    deployRegistry: (registrar: Address = zeroAddress) =>
      deploy({ abi: agentRegistryAbi, bytecode: agentRegistryBytecode }, [registrar]),
  }
}

export type External = Awaited<ReturnType<typeof startExternal>>

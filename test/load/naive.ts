import { createPublicClient, createWalletClient, http, nonceManager, parseEventLogs, stringToHex } from 'viem'
import { bscTestnet } from 'viem/chains'
import { jobEscrowAbi } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { people, startWorld, usdc } from '../contracts/world.ts'
import { crowd } from './measures.ts'

/**
 * Runs the same job with viem's writeContract, nonceManager and waitForTransactionReceipt on anvil, all with defaults, as an
 * application without its own sender would. Starts no further job after `seconds`.
 */
export const benchNaive = async ({ jobs, atOnce, seconds }: { jobs: number; atOnce: number; seconds: number }) => {
  const world = await startWorld()
  const transport = http(world.chain.transport.url)
  const reader = createPublicClient({ chain: bscTestnet, transport })
  const writer = createWalletClient({ chain: bscTestnet, transport })
  const [client, provider, evaluator] = [people.client, people.provider, people.evaluator].map(it => ({ ...it, nonceManager }))
  const at = { address: world.escrow.address, abi: jobEscrowAbi } as const
  if (!client || !provider || !evaluator) throw new RangeError('somebody is missing')

  await world.mined(world.token.write.mint([client.address, usdc(jobs)], { account: people.deployer }))

  let transactions = 0
  let begun = 0
  let failures = 0
  const mined = async (hash: `0x${string}`) => {
    const receipt = await reader.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error('reverted')
    transactions += 1
    return receipt
  }
  const one = async (nth: number) => {
    const expiredAt = BigInt(Math.floor(Date.now() / 1_000) + 3_600)
    const terms = [provider.address, evaluator.address, expiredAt, `naive_${nth}`, usdc(1)] as const
    const hired = await mined(await writer.writeContract({ ...at, account: client, functionName: 'createAndFund', args: terms }))
    const jobId = parseEventLogs({ abi: jobEscrowAbi, eventName: 'JobCreated', logs: hired.logs })[0]?.args.jobId ?? 0n
    const note = stringToHex('work', { size: 32 })
    await mined(await writer.writeContract({ ...at, account: provider, functionName: 'submit', args: [jobId, note, '0x'] }))
    await mined(await writer.writeContract({ ...at, account: evaluator, functionName: 'complete', args: [jobId, note, '0x'] }))
  }
  try {
    const started = performance.now()
    await crowd({ count: jobs, atOnce }, async nth => {
      if (performance.now() - started > seconds * 1_000) return
      begun += 1
      await one(nth).catch(() => {
        failures += 1
      })
    })
    return { rate: (1_000 * transactions) / (performance.now() - started), transactions, failures, jobs: begun }
  } finally {
    await world.stop()
  }
}

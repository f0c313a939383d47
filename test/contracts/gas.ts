import { getContract, type Hex, keccak256, parseSignature, type TransactionReceipt, zeroAddress, zeroHash } from 'viem'
import { tokenLaunchpadAbi } from '../../src/chain/contracts/artifacts/TokenLaunchpad.ts'
import { transferWithAuthorization } from '../../src/chain/signing/transferWords.ts'
import { authorize, budget, deliverable, reason, relay, termsOf } from './hires.ts'
import { registryForm } from './registryForm.ts'
import { people, startWorld, usdc, type World } from './world.ts'

const { client, provider, evaluator, stranger, treasury } = people

const gasOf = async (receipt: Promise<TransactionReceipt>) => (await receipt).gasUsed
const sum = (parts: Record<string, bigint>) => Object.values(parts).reduce((total, gas) => total + gas)

const submitAndComplete = async ({ escrow, mined }: World, jobId: bigint) => ({
  submit: await gasOf(mined(escrow.write.submit([jobId, deliverable, '0x'], { account: provider }))),
  complete: await gasOf(mined(escrow.write.complete([jobId, reason, '0x'], { account: evaluator }))),
})

/** Gas of one job with five ERC-8183 calls; the allowance exists and the escrow is empty. */
const fiveCallJob = async (world: World) => {
  const { escrow, mined } = world
  const { expiredAt, description } = await termsOf(world)
  const account = client
  const create = escrow.write.createJob([provider.address, evaluator.address, expiredAt, description, zeroAddress], { account })
  const createJob = await gasOf(mined(create))
  const jobId = await escrow.read.jobCount()
  const setBudget = await gasOf(mined(escrow.write.setBudget([jobId, budget, '0x'], { account })))
  const fund = await gasOf(mined(escrow.write.fund([jobId, budget, '0x'], { account })))
  return sum({ createJob, setBudget, fund, ...(await submitAndComplete(world, jobId)) })
}

/** Gas of one job hired in one transaction, by allowance or by a signature that another account sends. */
const oneTransactionJob = async (world: World, how: 'allowance' | 'signature') => {
  const { escrow, mined } = world
  const terms = await termsOf(world)
  const { expiredAt, description } = terms
  const args = [provider.address, evaluator.address, expiredAt, description, budget] as const
  const sent =
    how === 'allowance'
      ? escrow.write.createAndFund(args, { account: client })
      : relay(world, terms, await authorize(world, terms, expiredAt))
  const hire = await gasOf(mined(sent))
  return { hire, total: sum({ hire, ...(await submitAndComplete(world, await escrow.read.jobCount())) }) }
}

/** Gas of minting an agent to its owner with a wallet that consented; its URI has about 80 bytes. */
const registration = async ({ registry, mined, now }: World, handle: string) => {
  const agentURI = `https://market.example/agents/97/${handle}/.well-known/agent-registration.json`
  const message = { owner: client.address, agentURI, agentWallet: provider.address, deadline: (await now()) + 240n }
  const signature = await provider.signTypedData({
    ...registryForm(registry.address),
    primaryType: 'AgentRegistration',
    message,
  })
  const args = [message.owner, agentURI, message.agentWallet, message.deadline, signature] as const
  return gasOf(mined(registry.write.registerFor(args, { account: treasury })))
}

/**
 * Gas of a payment by EIP-3009 transferWithAuthorization that another account sends, to an address that already holds the
 * token.
 */
const settlement = async ({ token, mined, now }: World, nonce: Hex) => {
  const message = {
    ...{ from: client.address, to: provider.address, value: usdc(1), nonce },
    ...{ validAfter: 0n, validBefore: (await now()) + 300n },
  }
  const signature = await client.signTypedData({
    domain: { name: 'USD Coin', version: '1', chainId: 97, verifyingContract: token.address },
    types: transferWithAuthorization,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const { r, s, yParity } = parseSignature(signature)
  const { from, to, value, validAfter, validBefore } = message
  const args = [from, to, value, validAfter, validBefore, nonce, yParity + 27, r, s] as const
  return gasOf(mined(token.write.transferWithAuthorization(args, { account: stranger })))
}

const feedback = ({ reputation, mined }: World) =>
  gasOf(mined(reputation.write.giveFeedback([0n, 100n, 0, 'starred', '', '', '', zeroHash], { account: stranger })))

/** Gas of a validation: the request by the agent's owner and the evaluator's response, with a URI of about 80 bytes. */
const validationOf = async ({ validation, mined }: World, requestHash: Hex) => {
  const uri = `https://market.example/jobs/job_${'0'.repeat(32)}/validation.json`
  const request = validation.write.validationRequest([evaluator.address, 0n, uri, requestHash], { account: client })
  const validation_request = await gasOf(mined(request))
  const response = validation.write.validationResponse([requestHash, 100, '', zeroHash, 'schema'], { account: evaluator })
  return { validation_request, validation_response: await gasOf(mined(response)) }
}

/** Gas of a first validation and of a later one. */
const validations = async (world: World) => {
  const first = await validationOf(world, keccak256('0x11'))
  const next = await validationOf(world, keccak256('0x12'))
  return { validation_first: sum(first), validation: sum(next), ...next }
}

/** Gas of an agent token's launch and trades, by allowance. The seller keeps some tokens, as most do. */
const tokenTrades = async ({ chain, launchpad, token, mined, now }: World) => {
  const account = client
  const trades = getContract({ address: launchpad.address, abi: tokenLaunchpadAbi, client: chain })
  const launch = trades.write.launch([1n, token.address, 'Translator of the agents', 'TRANS'], { account })
  const token_launch = await gasOf(mined(launch))
  const its = await launchpad.read.tokenOf([1n])
  await mined(token.write.approve([launchpad.address, 2n ** 256n - 1n], { account }))
  const deadline = (await now()) + 3_600n
  const buy = () => gasOf(mined(trades.write.buy([its, usdc(10), 1n, deadline], { account })))
  const token_first_buy = await buy()
  const token_buy = await buy()
  const token_sell = await gasOf(mined(trades.write.sell([its, 10n ** 18n, 1n, deadline], { account })))
  return { token_launch, token_first_buy, token_buy, token_sell }
}

/** A fixed time, because the bytes of a timestamp and of its signature affect the gas. */
const startOfTime = 2_000_000_000n

/** The measured figures in gas, which are the same on every machine. */
export const measureGas = async () => {
  const world = await startWorld()
  await world.chain.setBlockTimestampInterval({ interval: 1 })
  await world.warp(startOfTime)
  // The first calls also pay for storage that all later ones find in use: the treasury's balance and the counters.
  await fiveCallJob(world)
  await registration(world, 'translator')
  const signed = await oneTransactionJob(world, 'signature')
  const figures = {
    job_five_calls: await fiveCallJob(world),
    job_one_tx: signed.total,
    hire_one_tx: signed.hire,
    hire_by_allowance: (await oneTransactionJob(world, 'allowance')).hire,
    register: await registration(world, 'summariser'),
    x402_settle: await settlement(world, keccak256('0x01')),
    feedback_first: await feedback(world),
    feedback_next: await feedback(world),
    ...(await validations(world)),
    ...(await tokenTrades(world)),
  }
  await world.stop()
  return Object.fromEntries(Object.entries(figures).map(([name, gas]) => [name, Number(gas)]))
}

/** The maximum gas of each. */
export const goals: Record<string, number> = {
  job_five_calls: 280_000,
  job_one_tx: 240_000,
  hire_one_tx: 215_000,
  hire_by_allowance: 215_000,
  register: 260_000,
  x402_settle: 75_000,
  feedback_first: 190_000,
  feedback_next: 109_000,
  validation_first: 320_000,
  validation: 250_000,
  validation_request: 192_000,
  validation_response: 128_000,
  token_launch: 320_000,
  token_first_buy: 110_000,
  token_buy: 80_000,
  token_sell: 80_000,
}

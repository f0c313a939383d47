import { type TransactionReceipt, zeroAddress } from 'viem'
import { authorize, budget, deliverable, reason, relay, termsOf } from './hires.ts'
import { people, type World } from './world.ts'

const { client, provider, evaluator, stranger } = people

const gasOf = async (receipt: Promise<TransactionReceipt>) => (await receipt).gasUsed
const sum = (parts: Record<string, bigint>) => Object.values(parts).reduce((total, gas) => total + gas)

const submitAndComplete = async ({ escrow, mined }: World, jobId: bigint) => ({
  submit: await gasOf(mined(escrow.write.submit([jobId, deliverable, '0x'], { account: provider }))),
  complete: await gasOf(mined(escrow.write.complete([jobId, reason, '0x'], { account: evaluator }))),
})

/** Gas of one job in the five calls of the text; the allowance stands and the escrow is empty. */
export const fiveCallJob = async (world: World) => {
  const { escrow, mined } = world
  const { expiredAt, description } = await termsOf(world)
  const account = client
  const create = escrow.write.createJob([provider.address, evaluator.address, expiredAt, description, zeroAddress], { account })
  const createJob = await gasOf(mined(create))
  const jobId = await escrow.read.jobCount()
  const setBudget = await gasOf(mined(escrow.write.setBudget([jobId, budget, '0x'], { account })))
  const fund = await gasOf(mined(escrow.write.fund([jobId, budget, '0x'], { account })))
  const parts = { createJob, setBudget, fund, ...(await submitAndComplete(world, jobId)) }
  return { ...parts, total: sum(parts) }
}

/** Gas of one job hired in one transaction, by allowance or by a signature somebody else sends. */
export const oneTransactionJob = async (world: World, how: 'allowance' | 'signature') => {
  const { escrow, mined } = world
  const terms = await termsOf(world)
  const { expiredAt, description } = terms
  const args = [provider.address, evaluator.address, expiredAt, description, budget] as const
  const sent =
    how === 'allowance'
      ? escrow.write.createAndFund(args, { account: client })
      : relay(world, terms, await authorize(world, terms, expiredAt))
  const hire = await gasOf(mined(sent))
  const parts = { hire, ...(await submitAndComplete(world, await escrow.read.jobCount())) }
  return { ...parts, total: sum(parts) }
}

/** Gas of minting an agent to its owner with a proven wallet; the address of its file has about 80 bytes. */
export const registration = async ({ registry, mined, now }: World, handle: string) => {
  const agentURI = `https://market.example/agents/97/${handle}/.well-known/agent-registration.json`
  const message = { owner: client.address, agentURI, agentWallet: provider.address, deadline: (await now()) + 240n }
  const signature = await provider.signTypedData({
    domain: { name: 'ERC8004IdentityRegistry', version: '1', chainId: 97, verifyingContract: registry.address },
    types: {
      AgentRegistration: [
        { name: 'owner', type: 'address' },
        { name: 'agentURI', type: 'string' },
        { name: 'agentWallet', type: 'address' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'AgentRegistration',
    message,
  })
  const args = [message.owner, agentURI, message.agentWallet, message.deadline, signature] as const
  return gasOf(mined(registry.write.registerFor(args, { account: stranger })))
}

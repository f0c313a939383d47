import { type Address, type Hex, keccak256, parseSignature, stringToHex, zeroAddress } from 'viem'
import { receiveWithAuthorization } from '../../src/chain/signing/transferWords.ts'
import { feeBps, people, usdc, type World } from './world.ts'

export const reason = keccak256(stringToHex('the deliverable fits the schema'))
export const deliverable = keccak256(stringToHex('{"answer":42}'))
export const budget = usdc(100)
export const fee = (budget * BigInt(feeBps)) / 10_000n
const description = 'job 3f9c2a1e: summarise the quarterly report in ten lines, German'

export type HireTerms = {
  client: Address
  provider: Address
  evaluator: Address
  expiredAt: bigint
  description: string
  budget: bigint
  salt: Hex
}

/** Terms that expire an hour from now, by the chain's clock. */
export const termsOf = async (world: World, changes: Partial<HireTerms> = {}): Promise<HireTerms> => ({
  client: people.client.address,
  provider: people.provider.address,
  evaluator: people.evaluator.address,
  expiredAt: (await world.now()) + 3_600n,
  description,
  budget,
  salt: keccak256('0x01'),
  ...changes,
})

/** Each term of a hire, changed by itself. */
export const changesOf = ({ expiredAt }: HireTerms): Partial<HireTerms>[] => [
  { client: people.provider.address },
  { provider: people.stranger.address },
  { evaluator: people.stranger.address },
  { expiredAt: expiredAt + 1n },
  { description: `${description}.` },
  { budget: budget + 1n },
  { budget: budget - 1n },
  { salt: keccak256('0x02') },
]

const client = { account: people.client }

/** Calls createJob and setBudget; returns the id of the open job. */
export const openJob = async ({ escrow, mined, ...world }: World) => {
  const terms = await termsOf({ escrow, mined, ...world })
  await mined(escrow.write.createJob([terms.provider, terms.evaluator, terms.expiredAt, description, zeroAddress], client))
  const jobId = await escrow.read.jobCount()
  await mined(escrow.write.setBudget([jobId, budget, '0x'], client))
  return jobId
}

export const fundedJob = async (world: World) => {
  const { provider, evaluator, expiredAt } = await termsOf(world)
  await world.mined(world.escrow.write.createAndFund([provider, evaluator, expiredAt, description, budget], client))
  return world.escrow.read.jobCount()
}

export const submittedJob = async (world: World) => {
  const jobId = await fundedJob(world)
  await world.mined(world.escrow.write.submit([jobId, deliverable, '0x'], { account: people.provider }))
  return jobId
}

/** The client's EIP-3009 ReceiveWithAuthorization signature, with which another account may send the hire. */
export const authorize = async ({ token, escrow, chain }: World, terms: HireTerms, validBefore: bigint) => {
  const signature = await people.client.signTypedData({
    domain: { name: 'USD Coin', version: '1', chainId: await chain.getChainId(), verifyingContract: token.address },
    types: receiveWithAuthorization,
    primaryType: 'ReceiveWithAuthorization',
    message: {
      from: terms.client,
      to: escrow.address,
      value: terms.budget,
      validAfter: 0n,
      validBefore,
      nonce: await escrow.read.hireNonce([terms]),
    },
  })
  const { r, s, yParity } = parseSignature(signature)
  return { validBefore, v: yParity + 27, r, s }
}

type Authorization = Awaited<ReturnType<typeof authorize>>

/** Sends a signed hire from an unrelated wallet. */
export const relay = ({ escrow }: World, terms: HireTerms, { validBefore, v, r, s }: Authorization) =>
  escrow.write.createAndFundWithAuthorization([terms, validBefore, v, r, s], { account: people.stranger })

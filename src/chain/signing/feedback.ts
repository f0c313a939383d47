import { decodeFunctionData, encodeFunctionData, isAddressEqual } from 'viem'
import { parseAgentId } from '../../domain/agents/agentId.ts'
import type { Address } from '../../domain/hex.ts'
import { isFinal } from '../../domain/jobs/job.ts'
import type { Call, Chain, Job } from '../../ports.ts'
import { reputationRegistryAbi } from '../contracts/artifacts/ReputationRegistry.ts'
import type { GasCeilings } from '../rpc/gas.ts'
import { hashText } from './calls.ts'
import { SigningRefused } from './signerPolicy.ts'

type FeedbackDeps = { addresses: Chain['addresses']; gas: GasCeilings }

/**
 * Encodes a client's feedback for the reputation registry (ERC-8004). The call carries the URI and the hash of the feedback
 * file.
 */
export const createFeedback = ({ addresses, gas }: FeedbackDeps): Pick<Chain, 'giveFeedback'> => ({
  giveFeedback: ({ agentNumber, value, tags: [first, second], uri, file }): Call => ({
    to: addresses.reputation,
    data: encodeFunctionData({
      abi: reputationRegistryAbi,
      functionName: 'giveFeedback',
      args: [agentNumber, BigInt(value), 0, first, second, '', uri, hashText(file)],
    }),
    value: 0n,
    gas: gas.feedback,
  }),
})

/**
 * A client's wallet may give feedback only about the agent of its own job, after that job has ended.
 * @throws SigningRefused
 */
export const checkFeedback = (job: Job | undefined, { sender, call }: { sender: Address; call: Call }): void => {
  const { functionName, args } = decodeFunctionData({ abi: reputationRegistryAbi, data: call.data })
  if (functionName !== 'giveFeedback') throw new SigningRefused(`a client's wallet does not sign ${functionName}`)
  if (!job || !isFinal(job.state)) throw new SigningRefused('feedback belongs to a job that has ended')
  if (!isAddressEqual(job.userWallet, sender)) throw new SigningRefused(`${sender} is not the wallet of job ${job.id}`)
  if (parseAgentId(job.agentId)?.number !== args[0]) throw new SigningRefused('the feedback is about another agent')
}

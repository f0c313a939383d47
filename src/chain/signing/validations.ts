import { decodeFunctionData, encodeFunctionData, isAddressEqual, zeroHash } from 'viem'
import { parseAgentId } from '../../domain/agents/agentId.ts'
import type { Address } from '../../domain/hex.ts'
import { validationTag } from '../../domain/jobs/validation.ts'
import type { Call, Validation, Validations } from '../../ports.ts'
import { validationRegistryAbi as abi } from '../contracts/artifacts/ValidationRegistry.ts'
import type { GasCeilings } from '../rpc/gas.ts'
import { answered, type Node } from '../rpc/node.ts'
import { hashText } from './calls.ts'
import { SigningRefused } from './signerPolicy.ts'

type ValidationDeps = { node: Node; registry: Address; evaluator: Address; gas: GasCeilings }

/** Encodes and reads validations of the ERC-8004 validation registry. The evaluator is the only validator. */
export const createValidations = ({ node, registry, evaluator, gas }: ValidationDeps): Validations => ({
  hash: hashText,

  request: ({ agentNumber, uri, requestHash }) => ({
    to: registry,
    data: encodeFunctionData({ abi, functionName: 'validationRequest', args: [evaluator, agentNumber, uri, requestHash] }),
    value: 0n,
    gas: gas.validationRequest,
  }),

  respond: ({ requestHash, response }) => ({
    to: registry,
    data: encodeFunctionData({
      abi,
      functionName: 'validationResponse',
      args: [requestHash, response, '', zeroHash, validationTag],
    }),
    value: 0n,
    gas: gas.validationResponse,
  }),

  summary: async agentNumber => {
    const args = [agentNumber, [evaluator], validationTag] as const
    const [count, average] = await answered(node.readContract({ address: registry, abi, functionName: 'getSummary', args }))
    return { count: Number(count), average }
  },
})

/**
 * A validation is signed only as it was decided at the end of its job: the request by the wallet of the job's agent, and the
 * response with the recorded value.
 * @throws SigningRefused
 */
export const checkValidation = (decided: Validation | undefined, { sender, call }: { sender: Address; call: Call }): void => {
  if (!decided) throw new SigningRefused('no validation was decided for this call')
  const { functionName, args } = decodeFunctionData({ abi, data: call.data })
  if (functionName === 'validationRequest') {
    const [, agentNumber, , requestHash] = args
    if (!isAddressEqual(decided.agentWallet, sender)) throw new SigningRefused(`${sender} is not the wallet of this agent`)
    if (parseAgentId(decided.agentId)?.number !== agentNumber) throw new SigningRefused('the validation is about another agent')
    checkHash(decided, requestHash)
    return
  }
  if (functionName !== 'validationResponse') throw new SigningRefused(`no wallet signs ${functionName}`)
  const [requestHash, response] = args
  if (decided.response !== response) throw new SigningRefused(`the recorded response is ${decided.response}, not ${response}`)
  checkHash(decided, requestHash)
}

const checkHash = ({ requestHash }: Validation, asked: string) => {
  if (requestHash !== asked) throw new SigningRefused('the call names another request')
}

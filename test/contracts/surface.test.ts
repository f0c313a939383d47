import { type Abi, toEventSelector, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { agentRegistryAbi } from '../../src/chain/contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { reputationRegistryAbi } from '../../src/chain/contracts/artifacts/ReputationRegistry.ts'
import { testUsdcAbi } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { validationRegistryAbi } from '../../src/chain/contracts/artifacts/ValidationRegistry.ts'

const selectorsOf = (abi: Abi) => abi.filter(entry => entry.type === 'function').map(entry => toFunctionSelector(entry))
const topicsByEvent = (abi: Abi) =>
  Object.fromEntries(abi.filter(entry => entry.type === 'event').map(entry => [entry.name, toEventSelector(entry)]))
const indexedByEvent = (abi: Abi) =>
  Object.fromEntries(
    abi
      .filter(entry => entry.type === 'event')
      .map(entry => [entry.name, entry.inputs.filter(input => input.indexed).map(input => input.name)]),
  )

test('the escrow has the function selectors of ERC-8183', () => {
  const text = {
    createJob: '0x41528812',
    setProvider: '0xc9a84bb9',
    setBudget: '0xdd4ae9d4',
    fund: '0xd2e13f50',
    submit: '0x9e63798d',
    complete: '0xd75bbdf3',
    reject: '0x41dd26f5',
    claimRefund: '0x5b7baf64',
    getJob: '0xbf22c457',
  }
  expect(selectorsOf(jobEscrowAbi)).toEqual(expect.arrayContaining(Object.values(text)))
})

test('the escrow has the events of ERC-8183, with the job and the party indexed', () => {
  expect(topicsByEvent(jobEscrowAbi)).toMatchObject({
    JobCreated: '0xef137df1d007645178f3f70e5c306d8d0b84bb5c70cabda9bb0f8f3c71932a0f',
    BudgetSet: '0x869e2577b006bf47ee981cf6fec2e25583548081c14b98deab587f77b5068038',
    JobFunded: '0xe3fbcc1ea1bdc559ec7f0347efde7655e58b5f45a30b0e4470a583c3ef5496b3',
    ProviderSet: toEventSelector('ProviderSet(uint256,address)'),
    JobSubmitted: toEventSelector('JobSubmitted(uint256,address,bytes32)'),
    JobCompleted: toEventSelector('JobCompleted(uint256,address,bytes32)'),
    JobRejected: toEventSelector('JobRejected(uint256,address,bytes32)'),
    JobExpired: toEventSelector('JobExpired(uint256)'),
    PaymentReleased: toEventSelector('PaymentReleased(uint256,address,uint256)'),
    Refunded: toEventSelector('Refunded(uint256,address,uint256)'),
  })
  expect(indexedByEvent(jobEscrowAbi)).toEqual({
    JobCreated: ['jobId', 'client', 'provider'],
    JobDescribed: ['jobId'],
    ProviderSet: ['jobId', 'provider'],
    BudgetSet: ['jobId'],
    JobFunded: ['jobId', 'client'],
    JobSubmitted: ['jobId', 'provider'],
    JobCompleted: ['jobId', 'evaluator'],
    JobRejected: ['jobId', 'rejector'],
    JobExpired: ['jobId'],
    PaymentReleased: ['jobId', 'provider'],
    Refunded: ['jobId', 'client'],
    FeeUnpaid: ['jobId'],
    FeesWithdrawn: [],
    UnusedReturned: ['jobId', 'client'],
    ReturnUnpaid: ['jobId', 'client'],
    ReturnWithdrawn: ['client'],
  })
})

test('the registry has the functions and events of the canonical ERC-8004 registry', () => {
  const functions = [
    'register()',
    'register(string)',
    'register(string,(string,bytes)[])',
    'setAgentURI(uint256,string)',
    'getMetadata(uint256,string)',
    'setMetadata(uint256,string,bytes)',
    'getAgentWallet(uint256)',
    'setAgentWallet(uint256,address,uint256,bytes)',
    'unsetAgentWallet(uint256)',
    'isAuthorizedOrOwner(address,uint256)',
    'getVersion()',
    'tokenURI(uint256)',
    'ownerOf(uint256)',
  ]
  expect(selectorsOf(agentRegistryAbi)).toEqual(expect.arrayContaining(functions.map(toFunctionSelector)))
  expect(topicsByEvent(agentRegistryAbi)).toMatchObject({
    Registered: toEventSelector('Registered(uint256,string,address)'),
    MetadataSet: toEventSelector('MetadataSet(uint256,string,string,bytes)'),
    URIUpdated: toEventSelector('URIUpdated(uint256,string,address)'),
  })
  expect(indexedByEvent(agentRegistryAbi)).toMatchObject({
    Registered: ['agentId', 'owner'],
    MetadataSet: ['agentId', 'indexedMetadataKey'],
    URIUpdated: ['agentId', 'updatedBy'],
  })
})

test('the reputation registry has the functions and events of the canonical ERC-8004 registry', () => {
  const functions = [
    'giveFeedback(uint256,int128,uint8,string,string,string,string,bytes32)',
    'revokeFeedback(uint256,uint64)',
    'appendResponse(uint256,address,uint64,string,bytes32)',
    'getSummary(uint256,address[],string,string)',
    'readFeedback(uint256,address,uint64)',
    'readAllFeedback(uint256,address[],string,string,bool)',
    'getResponseCount(uint256,address,uint64,address[])',
    'getClients(uint256)',
    'getLastIndex(uint256,address)',
    'getIdentityRegistry()',
    'getVersion()',
  ]
  expect(selectorsOf(reputationRegistryAbi).sort()).toEqual(functions.map(toFunctionSelector).sort())
  expect(topicsByEvent(reputationRegistryAbi)).toEqual({
    NewFeedback: toEventSelector('NewFeedback(uint256,address,uint64,int128,uint8,string,string,string,string,string,bytes32)'),
    FeedbackRevoked: toEventSelector('FeedbackRevoked(uint256,address,uint64)'),
    ResponseAppended: toEventSelector('ResponseAppended(uint256,address,uint64,address,string,bytes32)'),
  })
  expect(indexedByEvent(reputationRegistryAbi)).toEqual({
    NewFeedback: ['agentId', 'clientAddress', 'indexedTag1'],
    FeedbackRevoked: ['agentId', 'clientAddress', 'feedbackIndex'],
    ResponseAppended: ['agentId', 'clientAddress', 'responder'],
  })
})

test('the validation registry has the functions and events of ERC-8004, and tells the binding of a hash', () => {
  const functions = [
    'validationRequest(address,uint256,string,bytes32)',
    'validationResponse(bytes32,uint8,string,bytes32,string)',
    'getValidationStatus(bytes32)',
    'getSummary(uint256,address[],string)',
    'getAgentValidations(uint256)',
    'getValidatorRequests(address)',
    'getIdentityRegistry()',
    'getVersion()',
    'bindingOf(address,uint256)',
  ]
  expect(selectorsOf(validationRegistryAbi).sort()).toEqual(functions.map(toFunctionSelector).sort())
  expect(topicsByEvent(validationRegistryAbi)).toEqual({
    ValidationRequest: toEventSelector('ValidationRequest(address,uint256,string,bytes32)'),
    ValidationResponse: toEventSelector('ValidationResponse(address,uint256,bytes32,uint8,string,bytes32,string)'),
  })
  expect(indexedByEvent(validationRegistryAbi)).toEqual({
    ValidationRequest: ['validatorAddress', 'agentId', 'requestHash'],
    ValidationResponse: ['validatorAddress', 'agentId', 'requestHash'],
  })
})

test('the token accepts both forms of EIP-3009 authorizations and ERC-2612 permits', () => {
  const authorization = 'address,address,uint256,uint256,uint256,bytes32'
  const functions = [
    `transferWithAuthorization(${authorization},uint8,bytes32,bytes32)`,
    `transferWithAuthorization(${authorization},bytes)`,
    `receiveWithAuthorization(${authorization},uint8,bytes32,bytes32)`,
    `receiveWithAuthorization(${authorization},bytes)`,
    'cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)',
    'cancelAuthorization(address,bytes32,bytes)',
    'authorizationState(address,bytes32)',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  ]
  expect(selectorsOf(testUsdcAbi)).toEqual(expect.arrayContaining(functions.map(toFunctionSelector)))
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { SigningRefused } from '../../../src/chain/signing/signerPolicy.ts'
import type { Address } from '../../../src/domain/hex.ts'
import { validationsOf } from '../../../src/features/validations/ports.ts'
import { agreeTo } from '../../chain/consents.ts'
import { openSenders, type Senders } from '../../chain/senders.ts'
import { account } from '../../store/rows.ts'

let world: Senders
let client: Address
let provider: Address
beforeAll(async () => {
  world = await openSenders({ spending: { job: '50', day: '100' } })
  client = await world.rich('user', account(1))
  provider = await world.rich('agent', '97:echo')
})
afterAll(() => world.close())

const newest = async (wallet: Address) => (await world.store.signatures({ wallet, limit: 1 }))[0]

test('a validation is signed only as it was decided: for the agent of its job, with its request and its response', async () => {
  const { chain, store, wallets } = world
  const { validations, evaluator } = chain
  if (!validations) throw new Error('no registry')
  await agreeTo(store, chain, { jobId: 'job_validated', client, provider })
  const requestHash = validations.hash('the request')
  const request = (agentNumber: bigint, hash = requestHash) =>
    validations.request({ agentNumber, uri: 'http://x', requestHash: hash })
  const respond = (response: number, hash = requestHash) => validations.respond({ requestHash: hash, response })
  const purpose = 'job:job_validated:validation-request'
  await expect(chain.sign({ sender: provider, nonce: 0, call: request(7n), purpose })).rejects.toThrow(
    'no validation was decided',
  )
  const decided = { jobId: 'job_validated', agentId: `97:${chain.addresses.registry}:7`, agentWallet: provider }
  await validationsOf(store).addValidation({ ...decided, requestHash, response: 100, file: '{}' })

  const other = validations.hash('another request')
  expect((await chain.sign({ sender: provider, nonce: 0, call: request(7n), purpose })).nonce).toBe(0)
  expect((await chain.sign({ sender: evaluator, nonce: 0, call: respond(100), purpose })).nonce).toBe(0)
  expect(await newest(evaluator)).toMatchObject({ contract: chain.addresses.validation, reference: undefined })
  await expect(chain.sign({ sender: provider, nonce: 0, call: request(8n), purpose })).rejects.toThrow('about another agent')
  await expect(chain.sign({ sender: provider, nonce: 0, call: request(7n, other), purpose })).rejects.toThrow(
    'names another request',
  )
  await expect(chain.sign({ sender: evaluator, nonce: 0, call: respond(0), purpose })).rejects.toThrow(
    'the recorded response is 100',
  )
  await expect(chain.sign({ sender: evaluator, nonce: 0, call: respond(100, other), purpose })).rejects.toThrow(
    'names another request',
  )
  await expect(chain.sign({ sender: provider, nonce: 0, call: request(7n) })).rejects.toThrow(SigningRefused)
  const thief = await wallets.ensure('agent', '97:thief')
  await expect(chain.sign({ sender: thief, nonce: 0, call: request(7n), purpose })).rejects.toThrow(
    'is not the wallet of this agent',
  )
  await expect(chain.sign({ sender: provider, nonce: 0, call: respond(100), purpose })).rejects.toThrow('is not permitted')
  await expect(chain.sign({ sender: evaluator, nonce: 0, call: request(7n), purpose })).rejects.toThrow('is not permitted')
})

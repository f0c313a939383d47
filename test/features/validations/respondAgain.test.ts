import { afterEach, expect, test } from 'vitest'
import { validationKeys } from '../../../src/domain/jobs/validation.ts'
import { validationsOf } from '../../../src/features/validations/ports.ts'
import { followTransaction } from '../../../src/operations/ledger/followTransaction.ts'
import { openStore } from '../../../src/store/store.ts'
import { followers, tables } from '../../assembled.ts'
import { addRun, agentId, chainId, hash, minedAt, newIntent, newJob, sender, signed } from '../../store/rows.ts'
import { newStoreFile } from '../../store/template.ts'
import { createScriptedChain } from '../../world/chain.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const jobId = 'job-of-run'
const { request, responses } = validationKeys(jobId)
const [first = '', second = ''] = responses

/** A validation whose request and first response were sent. */
const validating = async () => {
  const { place, remove } = await newStoreFile()
  ends.push(remove)
  const clock = { now: () => Date.now() }
  const store = await openStore({ ...place, tables, clock })
  ends.push(store.close)
  const chain = createScriptedChain({ clock, seed: 'validations', chainId })
  await addRun(store, 'run')
  await store.addJob(newJob('run'))
  await validationsOf(store).addValidation({
    jobId,
    agentId,
    agentWallet: sender,
    requestHash: hash(9),
    response: 100,
    file: '{}',
  })
  await store.addIntents([newIntent(request), newIntent(first, request)])
  await store.leaseSender(chainId, sender, 60_000)
  let sent = 0
  const send = async (key: string) => {
    const intent = await store.intent(key)
    sent += 1
    if (intent) await store.recordSigned(intent.seq, signed(sent, sent - 1))
    return hash(sent)
  }
  const follow = async (key: string, of: ReturnType<typeof hash>, success: boolean, block: number) => {
    const intent = await store.intent(key)
    const mined = { hash: of, success, blockHash: hash(block), ...minedAt(block) }
    if (intent) await followTransaction({ store, chain, followers }, intent, mined)
  }
  const stateOf = async (key: string) => (await store.intent(key))?.state
  const told = async () => (await validationsOf(store).validations(agentId, 5)).map(it => it.state)
  return { store, send, follow, stateOf, told }
}

test('a response that a reorganisation mined before its request is given again, and the list tells its state', async () => {
  const { store, send, follow, stateOf, told } = await validating()
  const [asked, answered] = [await send(request), await send(first)]
  await follow(request, asked, true, 5)
  await follow(first, answered, true, 6)
  expect(await told()).toEqual(['confirmed'])
  await store.unmine([asked, answered])
  await follow(request, asked, true, 9)
  await follow(first, answered, false, 8)
  expect(await told()).toEqual(['waiting'])
  await follow(second, await send(second), true, 10)
  expect(await told()).toEqual(['confirmed'])
  expect(await stateOf(responses[2] ?? '')).toBeUndefined()
})

test('a response that fell with its request is given again when the request is mined after all', async () => {
  const { store, send, follow, stateOf } = await validating()
  const asked = await send(request)
  await follow(request, asked, false, 5)
  expect(await stateOf(first)).toBe('reverted')
  expect(await stateOf(second)).toBeUndefined()
  await store.unmine([asked])
  await follow(request, asked, true, 7)
  expect(await stateOf(second)).toBe('waiting')
})

test('a registry that refuses every response is asked a limited number of times', async () => {
  const { send, follow, stateOf } = await validating()
  await follow(request, await send(request), true, 5)
  for (const [at, key] of responses.entries()) await follow(key, await send(key), false, 6 + at)
  expect(await Promise.all(responses.map(stateOf))).toEqual(responses.map(() => 'reverted'))
})

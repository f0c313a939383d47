import { MemorySaver } from '@langchain/langgraph'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createButler } from '../../graphs/butler/advance.ts'
import { limits } from '../../src/domain/limits.ts'
import { Problem } from '../../src/domain/problem.ts'
import { noModel } from '../../src/llm/noModel.ts'
import type { Butler, LanguageModel, Run } from '../../src/ports.ts'
import { offering } from '../store/rows.ts'
import { openWorld, type World } from '../world.ts'

const deliverable = { type: 'object', required: ['notes'], properties: { notes: { type: 'string' } } }
const talk = { type: 'object', required: ['talk'], properties: { talk: { type: 'string' } }, additionalProperties: false }
const start = 100_000_000n

let world: World
let butler: Butler
beforeEach(async () => {
  world = await openWorld({ feeBps: 200 })
  butler = createButler(world.butlerDeps, new MemorySaver())
  world.fund(world.userWallet, start)
})
afterEach(() => world.close())

const stored = async (): Promise<Run> => (await world.store.run('run-1')) ?? Promise.reject(new Error('no run'))

/** Advances the run like the worker: takes it, runs the graph, and stores the new state. */
const advance = async (): Promise<Run> => {
  await world.store.wakeRun('run-1')
  const [claimed] = await world.store.claimRuns(60_000, 1)
  if (!claimed) throw new Error('nothing to advance')
  await world.store.releaseRun('run-1', claimed.lease, await butler.advance(claimed.run))
  return stored()
}

const ask = async (task: string): Promise<Run> => {
  await world.run('run-1', task)
  return advance()
}

const answer = async (text: string, digest?: string): Promise<Run> => {
  const { interruptId = '', proposal } = await stored()
  const decision = { kind: 'decision' as const, decision: 'yes' as const, digest: digest ?? proposal?.digest ?? '', text }
  await world.store.addRunInput('run-1', interruptId, proposal ? decision : { kind: 'answer', text })
  return advance()
}

const jobs = () => world.store.jobs({ limit: 10, offset: 0 })
const balance = (of: `0x${string}`) => world.chain.usdcBalance(of)

const deliver = async (agentId: string, text: string) => {
  const job = await world.store.leaseJob(agentId)
  await world.store.moveJob(job?.id ?? '', 'submit', { deliverable: text })
  return advance()
}

test('nothing is hired before the user says yes, however often the run is advanced', async () => {
  await world.agent('scribe', [offering()])
  const proposed = await ask('Turn my talk into notes')
  expect(proposed).toMatchObject({ state: 'awaiting-confirmation', proposal: { agentHandle: 'scribe', total: '1.5' } })
  const { updatedAt: _, ...standing } = await advance()
  expect(proposed).toMatchObject(standing)
  expect(await jobs()).toEqual([])
  expect(await world.store.activeSenders(97)).toEqual([])
})

test('a yes hires once, the work is judged, and the last message says correctly where the money is', async () => {
  const agent = await world.agent('scribe', [offering({ deliverable })])
  await ask('Turn my talk into notes')
  expect(await answer('yes')).toMatchObject({ state: 'awaiting-job' })
  await advance()
  expect(await jobs()).toHaveLength(1)
  await world.pump()
  expect(await deliver(agent.id, '{"notes":"all"}')).toMatchObject({ state: 'awaiting-job' })
  await world.pump()
  const done = await advance()
  expect(done).toMatchObject({ state: 'completed', answer: expect.stringContaining('1.47 USDC are in the agent wallet') })
  expect(await advance()).toMatchObject({ state: 'completed', answer: done.answer })
  expect([await balance(world.userWallet), await balance(agent.wallet)]).toEqual([start - 1_500_000n, 1_470_000n])
  const ledger = await world.store.ledger({ runId: 'run-1' })
  expect(ledger.reduce((sum, it) => sum + it.amount, 0n)).toBe(0n)
})

test('work that fails its checks is sent back until the attempts are used up, then the money is returned', async () => {
  const agent = await world.agent('scribe', [offering({ deliverable })])
  await ask('Turn my talk into notes')
  await answer('yes')
  await world.pump()
  for (let attempt = 1; attempt <= limits.attempts; attempt += 1) await deliver(agent.id, `{"notes":${attempt}}`)
  await world.pump()
  expect(await advance()).toMatchObject({ state: 'completed', answer: expect.stringContaining('back in your wallet') })
  expect((await jobs())[0]).toMatchObject({ state: 'refunded', attempt: limits.attempts })
  expect(await balance(world.userWallet)).toBe(start)
})

test('a job that ended undelivered is not said to be judged while its refund is on its way', async () => {
  const agent = await world.agent('scribe', [offering({ deliverable })])
  await ask('Turn my talk into notes')
  await answer('yes')
  await world.pump()
  const job = await world.store.leaseJob(agent.id)
  await world.store.moveJob(job?.id ?? '', 'expire', { reason: 'Nothing came.' })
  const { state, answer: text } = await advance()
  expect(state).toBe('awaiting-job')
  expect(text).toContain('without a new deliverable')
})

test('a yes to outdated terms hires nothing and leads to a new proposal', async () => {
  await world.agent('scribe', [offering()])
  await ask('Turn my talk into notes')
  expect(await answer('yes', '00000000')).toMatchObject({ state: 'awaiting-confirmation' })
  expect(await jobs()).toEqual([])
})

test('an offering that changed after its proposal is not hired on the old terms', async () => {
  const agent = await world.agent('scribe', [offering()])
  await ask('Turn my talk into notes')
  await world.store.putOfferings(agent.key, [offering({ price: '2' })])
  expect(await answer('yes')).toMatchObject({ state: 'awaiting-confirmation', proposal: { total: '2', offeringVersion: 2 } })
  expect(await jobs()).toEqual([])
})

test('an offering removed while its form is filled does not block the run, and leaves no value in the next form', async () => {
  const gone = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } }
  const agent = await world.agent('scribe', [offering({ name: 'Notes of a talk', requirement: gone })])
  expect(await ask('Notes of a talk')).toMatchObject({ state: 'awaiting-input', answer: expect.stringContaining('the city') })
  await world.store.putOfferings(agent.key, [])
  await world.agent('other', [offering({ requirement: talk })])
  const { proposal, state } = await answer('Lisbon')
  expect(state).not.toBe('working')
  expect(JSON.stringify(proposal ?? '')).not.toContain('city')
})

test('a required object is asked for with its members, and filled by the answer in one turn', async () => {
  const texts = (names: string[]) => Object.fromEntries(names.map(it => [it, { type: 'string' }]))
  const names = ['street', 'postcode', 'city']
  const recipient = { type: 'object', required: names, properties: texts(names) }
  await world.agent('scribe', [
    offering({ name: 'Notes of a talk', requirement: { type: 'object', required: ['recipient'], properties: { recipient } } }),
  ])
  const { state, answer: words } = await ask('Notes of a talk')
  expect({ state, words }).toEqual({ state: 'awaiting-input', words: expect.stringContaining('street; postcode; city') })
  const { proposal } = await answer('8 Orchard Lane, OX4 2DU Oxford')
  const input = JSON.stringify({ recipient: { street: '8 Orchard Lane', postcode: 'OX4 2DU', city: 'Oxford' } })
  expect(proposal).toMatchObject({ input })
})

test('an agent that the user named is proposed even when its offering shares no word with the task', async () => {
  await world.agent('scribe', [
    offering({ id: 'a', name: 'Alpha', description: 'x' }),
    offering({ id: 'b', name: 'Minutes', description: 'y' }),
  ])
  await world.agent('other', [offering({ name: 'Protocol of a sitting' })])
  expect(await ask('ask agent scribe for the minutes of our yearly general meeting of members')).toMatchObject({
    state: 'awaiting-confirmation',
    proposal: { agentHandle: 'scribe', offeringId: 'b' },
  })
})

test('where the model does not answer, the rules answer in the same turn; any other fault is tried again', async () => {
  await world.agent('scribe', [offering()])
  await world.run('run-1', 'Turn my talk into notes')
  const broken = (error: Error): LanguageModel => ({ ...noModel, id: 'broken', turn: () => Promise.reject(error) })
  const withModel = (model: LanguageModel) => createButler({ ...world.butlerDeps, model }, new MemorySaver())
  const run = await stored()
  await expect(withModel(broken(new Error('disk'))).advance(run)).rejects.toThrow('disk')
  expect(await withModel(broken(new Problem('model-unavailable'))).advance(run)).toMatchObject({
    state: 'awaiting-confirmation',
    proposal: { agentHandle: 'scribe' },
  })
})

test('a run interrupted by a crash continues from its last node, and reports nothing twice', async () => {
  await world.agent('scribe', [offering()])
  const checkpoints = new MemorySaver()
  await world.run('run-1', 'Turn my talk into notes')
  let deaths = 0
  const dying = createButler(
    { ...world.butlerDeps, writeProposal: () => Promise.reject(new Error(`death ${++deaths}`)) },
    checkpoints,
  )
  await expect(dying.advance(await stored())).rejects.toThrow('death 1')
  await expect(dying.advance(await stored())).rejects.toThrow('death 2')
  butler = createButler(world.butlerDeps, checkpoints)
  expect(await advance()).toMatchObject({ state: 'awaiting-confirmation' })
  const told = (await world.store.runEvents('run-1', 0, 100)).map(it => it.kind)
  expect(told).toEqual(['understood', 'searched', 'chosen', 'proposed'])
})

test('nobody is asked for the same value more than twice: then the run ends and says how to go on', async () => {
  await world.agent('scribe', [offering({ requirement: talk })])
  const rules = { ...world.butlerDeps.rules, fill: async () => ({}) }
  butler = createButler({ ...world.butlerDeps, rules }, new MemorySaver())
  expect(await ask('Turn my talk into notes')).toMatchObject({ state: 'awaiting-input' })
  expect(await answer('the one of yesterday')).toMatchObject({ state: 'awaiting-input' })
  const run = await answer('the one of yesterday')
  expect(run).toMatchObject({ state: 'completed', answer: expect.stringContaining('Nothing was hired and nothing was paid.') })
  expect(run.answer).toContain('I asked twice')
  expect(run.answer).toMatch(/^talk: /m)
})

test('a run whose user never agrees ends after a bounded number of turns', async () => {
  await world.agent('scribe', [offering()])
  let run = await ask('Turn my talk into notes')
  let turns = 1
  for (; run.state === 'awaiting-confirmation'; turns += 1) {
    await world.store.addRunInput('run-1', run.interruptId ?? '', { kind: 'answer', text: 'how long does it take?' })
    run = await advance()
  }
  expect(turns).toBe(limits.turns + 1)
  expect(run).toMatchObject({ state: 'completed', answer: expect.stringContaining('Nothing was hired and nothing was paid.') })
})

test('cheaper than a proposal means every lower price, to the last decimal of its chain', async () => {
  await world.close()
  world = await openWorld({ usdcDecimals: 18 })
  butler = createButler(world.butlerDeps, new MemorySaver())
  await world.agent('scribe', [offering({ price: '0.0000004' })])
  expect(await ask('Turn my talk into notes')).toMatchObject({ proposal: { total: '0.0000004' } })
  await world.agent('clerk', [offering({ price: '0.000000399999999999' })])
  const { interruptId = '' } = await stored()
  await world.store.addRunInput('run-1', interruptId, {
    kind: 'decision',
    decision: 'change',
    digest: '',
    text: 'cheaper please',
  })
  expect(await advance()).toMatchObject({ proposal: { agentHandle: 'clerk', total: '0.000000399999999999' } })
})

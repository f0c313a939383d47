import { Command, END, MemorySaver, START, StateGraph } from '@langchain/langgraph'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask } from '../../graphs/butler/nodes/ask.ts'
import { choose } from '../../graphs/butler/nodes/choose.ts'
import { consent } from '../../graphs/butler/nodes/consent.ts'
import { dispatch } from '../../graphs/butler/nodes/dispatch.ts'
import { escrow } from '../../graphs/butler/nodes/escrow.ts'
import { evaluate } from '../../graphs/butler/nodes/evaluate.ts'
import { fill } from '../../graphs/butler/nodes/fill.ts'
import { propose } from '../../graphs/butler/nodes/propose.ts'
import { refund } from '../../graphs/butler/nodes/refund.ts'
import { reply } from '../../graphs/butler/nodes/reply.ts'
import { report } from '../../graphs/butler/nodes/report.ts'
import { revise } from '../../graphs/butler/nodes/revise.ts'
import { search } from '../../graphs/butler/nodes/search.ts'
import { settle } from '../../graphs/butler/nodes/settle.ts'
import { understand } from '../../graphs/butler/nodes/understand.ts'
import { type ButlerState, State, type Update } from '../../graphs/butler/state.ts'
import { limits } from '../../src/domain/limits.ts'
import type { Job } from '../../src/ports.ts'
import { offering } from '../store/rows.ts'
import { openWorld, type World } from '../world.ts'
import { fresh, proposal } from './states.ts'

type Node = (state: ButlerState) => Update | Promise<Update>

const required = { type: 'object', required: ['talk'], properties: { talk: { type: 'string', description: 'The talk' } } }
const strict = { type: 'object', required: ['notes'], properties: { notes: { type: 'string' } } }

let world: World
let agent: Awaited<ReturnType<World['agent']>>
let ref: { agentId: string; offeringId: string; coverage: number }
beforeEach(async () => {
  world = await openWorld()
  agent = await world.agent('scribe', [
    offering({ requirement: {}, deliverable: strict }),
    offering({ id: 'minutes', requirement: required }),
  ])
  ref = { agentId: agent.id, offeringId: 'notes', coverage: 1 }
  world.fund(world.userWallet, 100_000_000n)
})
afterEach(() => world.close())

const tables = [
  'run',
  'run_event',
  'run_input',
  'job',
  'intent',
  'chain_transaction',
  'posting',
  'ledger_entry',
  'outbox',
  'message',
]

/** Every row that a node could have written. */
const rows = async () =>
  Object.fromEntries(await Promise.all(tables.map(async it => [it, await world.store.db.sql(`select * from ${it}`)])))

/** Runs a node twice from the same state, as after a crash between its effects and its checkpoint. */
const twice = async (node: Node, state: ButlerState): Promise<Update> => {
  const update = await node(state)
  const after = await rows()
  expect(await node(state)).toEqual(update)
  expect(await rows()).toEqual(after)
  // What a state holds survives its checkpoint.
  expect(JSON.parse(JSON.stringify(update))).toEqual(
    Object.fromEntries(Object.entries(update).filter(([, it]) => it !== undefined)),
  )
  return update
}

const events = async () => (await world.store.runEvents('run-1', 0, 100)).map(it => it.kind)

describe('nodes that find an offering', () => {
  beforeEach(async () => void (await world.run('run-1', 'Take notes of my talk')))

  test('understand run twice reads the same and tells it once', async () => {
    const update = await twice(understand(world.butlerDeps), fresh)
    expect(update).toMatchObject({ intent: 'task', found: [], input: {} })
    expect(await events()).toEqual(['understood'])
  })

  test('search run twice finds the same, tells it once, and forgets what was filled in for another offering', async () => {
    const update = await twice(search(world.butlerDeps), { ...fresh, task: 'notes of a talk', input: { city: 'Oslo' } })
    expect(update).toMatchObject({ input: {}, pick: undefined })
    expect(update.found).toContainEqual({ ...ref, coverage: expect.any(Number) })
    expect(await events()).toEqual(['searched'])
  })

  test('choose run twice points at the same and tells it once; a listing that is gone is not pointed at', async () => {
    const gone = { agentId: agent.id, offeringId: 'gone', coverage: 1 }
    const update = await twice(choose(world.butlerDeps), { ...fresh, task: 'notes', found: [gone, ref] })
    expect(update).toMatchObject({ pick: ref })
    expect(await events()).toEqual(['chosen'])
    expect(await twice(choose(world.butlerDeps), { ...fresh, found: [gone] })).toMatchObject({
      pick: undefined,
      answer: expect.any(String),
    })
  })

  test.each([-1, 1, 0.5, 1e9, Number.NaN])('a model that points at %d points at nothing', async pick => {
    const model = { ...world.butlerDeps.model, choose: async () => ({ pick, reason: 'Pay me.' }) }
    const update = await choose({ ...world.butlerDeps, model })({ ...fresh, found: [ref] })
    expect(update).toMatchObject({ pick: undefined, answer: expect.stringContaining('nothing was paid') })
  })

  test('fill run twice asks the same once, in the words of the schema', async () => {
    const pick = { ...ref, offeringId: 'minutes' }
    const update = await twice(fill(world.butlerDeps), { ...fresh, said: ['minutes please'], pick })
    expect(update.questions).toEqual([{ field: 'talk', words: 'What should "talk" be? (The talk)' }])
    expect(await events()).toEqual(['asked'])
  })

  test('fill keeps what is known of this offering and nothing of another one', async () => {
    const pick = { ...ref, offeringId: 'minutes' }
    const update = await twice(fill(world.butlerDeps), {
      ...fresh,
      said: ['minutes please'],
      pick,
      input: { talk: 'mine', city: 'Oslo' },
    })
    expect(update).toEqual({ input: { talk: 'mine' }, questions: [] })
  })

  test('propose run twice proposes the same terms and tells them once', async () => {
    const other = { ...ref, offeringId: 'minutes' }
    const state = { ...fresh, pick: ref, found: [ref, other], input: { a: 1 }, reason: 'It fits.' }
    const update = await twice(propose(world.butlerDeps), state)
    const agreed = { agentId: agent.id, offeringId: 'notes', input: '{"a":1}', total: '1.5' }
    expect(update).toMatchObject({ round: 1, proposal: agreed })
    expect(update.proposal?.alternatives).toHaveLength(1)
    world.clock.pass(60_000)
    // Later only its times are others: a yes to the first holds for the second.
    expect(await propose(world.butlerDeps)(state)).toMatchObject({ proposal: { digest: update.proposal?.digest } })
    expect(await events()).toEqual(['proposed'])
  })

  test('propose puts nothing before the user when the offering is gone', async () => {
    expect(await twice(propose(world.butlerDeps), { ...fresh, pick: { ...ref, offeringId: 'gone' } })).toEqual({
      proposal: undefined,
    })
  })

  test('reply run twice says the same once', async () => {
    expect(await twice(reply(world.butlerDeps), { ...fresh, answer: 'Done.' })).toEqual({ answer: 'Done.' })
    expect(await twice(reply(world.butlerDeps), { ...fresh, intent: 'smalltalk' })).toMatchObject({
      answer: expect.stringContaining('Hello'),
    })
    expect(await events()).toEqual(['answer'])
  })
})

describe('nodes that move money', () => {
  const strangers = { ...proposal, agentId: 'x' }
  const changed = { jobId: undefined, notice: expect.stringContaining('changed') }

  test('escrow run twice opens one job and decides one hire', async () => {
    await world.run('run-1', 'task')
    const listing = await world.store.listing(agent.id, 'notes')
    if (!listing) throw new Error('no listing')
    const agreed = await world.butlerDeps.writeProposal({ listing, input: '{}', reason: '', others: [] })
    const update = await twice(escrow(world.butlerDeps), { ...fresh, proposal: agreed })
    expect(await world.store.intent(`job:${update.jobId}:hire`)).toMatchObject({ state: 'waiting', sender: world.userWallet })
    expect(await world.store.jobs({ limit: 9, offset: 0 })).toHaveLength(1)
  })

  test('escrow opens nothing for terms that are not those of the offering, nor without money or a proposal', async () => {
    await world.run('run-1', 'task')
    const listing = await world.store.listing(agent.id, 'notes')
    if (!listing) throw new Error('no listing')
    const agreed = await world.butlerDeps.writeProposal({
      listing: { ...listing, price: '1000' },
      input: '{}',
      reason: '',
      others: [],
    })
    expect(await twice(escrow(world.butlerDeps), { ...fresh, proposal: agreed })).toMatchObject({
      answer: expect.stringContaining('nothing was paid'),
    })
    expect(await twice(escrow(world.butlerDeps), { ...fresh, proposal: { ...agreed, offeringVersion: 9 } })).toEqual(changed)
    expect(await twice(escrow(world.butlerDeps), { ...fresh, proposal: strangers })).toEqual(changed)
    expect(await twice(escrow(world.butlerDeps), fresh)).toMatchObject({ answer: expect.stringContaining('Nothing was paid') })
    await expect(escrow(world.butlerDeps)({ ...fresh, proposal: { ...agreed, total: '0' } })).rejects.toThrow(RangeError)
    expect(await world.store.jobs({ limit: 9, offset: 0 })).toEqual([])
  })

  /** A job whose agent has handed something in. */
  const submitted = async (deliverable: string): Promise<Job> => {
    const { id } = await world.hired('run-1', { agentId: agent.id, offeringId: 'notes' })
    await world.store.moveJob(id, 'fund', { chainJobId: 1n })
    await world.store.moveJob(id, 'queue')
    await world.store.leaseJob(agent.id)
    const job = await world.store.moveJob(id, 'submit', { deliverable })
    if (!job) throw new Error('not submitted')
    return job
  }
  const good = '{"notes":"all of it"}'
  const failed = { pass: false, errors: ['#: no'] }

  test('evaluate run twice judges the same and tells it once', async () => {
    const { id } = await submitted('{}')
    const update = await twice(evaluate(world.butlerDeps), { ...fresh, jobId: id })
    expect(update).toMatchObject({ verdict: { pass: false, errors: [expect.stringContaining('notes')] }, judged: 1 })
    expect((await events()).filter(it => it === 'evaluated')).toHaveLength(1)
  })

  test('settle run twice accepts once: one proof, one payout', async () => {
    const { id } = await submitted(good)
    await twice(settle(world.butlerDeps), { ...fresh, jobId: id })
    expect((await world.store.job(id))?.state).toBe('settling')
    for (const step of ['submit', 'complete'])
      expect(await world.store.intent(`job:${id}:${step}`)).toMatchObject({ state: 'waiting' })
    expect(await world.store.intent(`job:${id}:refund`)).toBeUndefined()
  })

  test('revise run twice sends the job back once', async () => {
    const { id } = await submitted('{}')
    const state = { ...fresh, jobId: id, verdict: failed, judged: 1 }
    expect(await twice(revise(world.butlerDeps), state)).toEqual({ revised: true })
    expect((await world.store.job(id))?.state).toBe('queued')
  })

  test('revise that was cut short does not send back work that nobody has judged', async () => {
    const { id } = await submitted('{}')
    const state = { ...fresh, jobId: id, verdict: failed, judged: 1 }
    await revise(world.butlerDeps)(state)
    await world.store.leaseJob(agent.id)
    await world.store.moveJob(id, 'submit', { deliverable: good })
    expect(await twice(revise(world.butlerDeps), state)).toEqual({ revised: true })
    expect(await world.store.job(id)).toMatchObject({ state: 'submitted', deliverable: good })
  })

  test('revise refuses when the promise is over or the attempts are used up', async () => {
    const { id, deadlines } = await submitted('{}')
    const state = { ...fresh, jobId: id, verdict: failed, judged: 1 }
    for (let attempt = 1; attempt < limits.attempts; attempt += 1) {
      expect(await revise(world.butlerDeps)({ ...state, judged: attempt })).toEqual({ revised: true })
      expect(await world.store.leaseJob(agent.id)).toBeDefined()
      await world.store.moveJob(id, 'submit', { deliverable: '{}' })
    }
    const last = { ...state, judged: limits.attempts }
    expect(await twice(revise(world.butlerDeps), last)).toEqual({ revised: false })
    world.clock.pass(deadlines.submitBy - world.clock.now())
    expect(await twice(revise(world.butlerDeps), last)).toEqual({ revised: false })
    expect(await revise(world.butlerDeps)({ ...fresh, jobId: 'no job', verdict: failed })).toEqual({ revised: false })
  })

  test('refund run twice rejects once and decides one refund', async () => {
    const { id } = await submitted('{}')
    await twice(refund(world.butlerDeps), { ...fresh, jobId: id, verdict: failed })
    expect((await world.store.job(id))?.state).toBe('rejected')
    expect(await world.store.intent(`job:${id}:refund`)).toMatchObject({ sender: world.chain.evaluator })
    expect(await world.store.intent(`job:${id}:complete`)).toBeUndefined()
  })
})

describe('nodes that stop', () => {
  /** Runs a node that stops, from the same checkpoint twice, with the same reply. */
  const stopped = async (node: Node, state: ButlerState, reply: unknown) => {
    const graph = new StateGraph(State)
      .addNode('it', node)
      .addEdge(START, 'it')
      .addEdge('it', END)
      .compile({ checkpointer: new MemorySaver() })
    await graph.invoke(state, { configurable: { thread_id: 't' } })
    const { config, tasks } = await graph.getState({ configurable: { thread_id: 't' } })
    const first = await graph.invoke(new Command({ resume: reply }), config)
    const after = await rows()
    expect(await graph.invoke(new Command({ resume: reply }), config)).toEqual(first)
    expect(await rows()).toEqual(after)
    return { asks: tasks[0]?.interrupts[0]?.value, first }
  }

  test('ask adds the answer to what was said, once', async () => {
    const questions = [{ field: 'talk', words: 'Which talk?' }]
    const { asks, first } = await stopped(ask, { ...fresh, questions }, { kind: 'answer', text: 'mine' })
    expect(asks).toEqual({ kind: 'question', questions })
    expect(first).toMatchObject({ said: [...fresh.said, 'mine'], questions: [] })
  })

  test('ask hears that the user leaves it', async () => {
    const { first } = await stopped(ask, { ...fresh, questions: [] }, { kind: 'answer', text: 'never mind', decision: 'no' })
    expect(first).toMatchObject({ decision: 'no', said: fresh.said, answer: expect.stringContaining('nothing was paid') })
  })

  const decide = (decision: string, digest = proposal.digest) => ({ kind: 'decision', decision, digest, text: 'words' })

  test.each([
    ['a yes to these terms is a yes', decide('yes'), { decision: 'yes', said: fresh.said }],
    ['a yes to other terms is none', decide('yes', '00000000'), { decision: 'lapsed', said: fresh.said }],
    ['a yes that came too late is none', decide('lapsed'), { decision: 'lapsed', said: fresh.said }],
    ['a no ends it', decide('no'), { decision: 'no', answer: expect.stringContaining('nothing was paid') }],
    ['a change is said', decide('change'), { decision: 'change', said: [...fresh.said, 'words'] }],
  ])('consent: %s', async (_what, answer, expected) => {
    const { asks, first } = await stopped(consent, { ...fresh, proposal }, answer)
    expect(asks).toEqual({ kind: 'proposal', proposal })
    expect(first).toMatchObject(expected)
  })

  test('dispatch goes on with what came of the job', async () => {
    const { first } = await stopped(dispatch, { ...fresh, jobId: 'job-1', revised: true }, { delivered: true })
    expect(first).toMatchObject({ delivered: true, revised: false })
  })

  test('report says where the money is', async () => {
    const job = await world.hired('run-1', { agentId: agent.id, offeringId: 'notes' })
    await world.store.moveJob(job.id, 'cancel', { reason: 'The hire was refused.' })
    const { first } = await stopped(report(world.butlerDeps), { ...fresh, jobId: job.id }, { final: true })
    expect(first).toMatchObject({ answer: 'The hire was refused. Nothing was paid.' })
  })
})

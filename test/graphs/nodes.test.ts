import { Command, END, MemorySaver, START, StateGraph } from '@langchain/langgraph'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask } from '../../graphs/butler/nodes/ask.ts'
import { choose } from '../../graphs/butler/nodes/choose.ts'
import { consent } from '../../graphs/butler/nodes/consent.ts'
import { dispatch } from '../../graphs/butler/nodes/dispatch.ts'
import { fill } from '../../graphs/butler/nodes/fill.ts'
import { propose } from '../../graphs/butler/nodes/propose.ts'
import { reply } from '../../graphs/butler/nodes/reply.ts'
import { report } from '../../graphs/butler/nodes/report.ts'
import { search } from '../../graphs/butler/nodes/search.ts'
import { understand } from '../../graphs/butler/nodes/understand.ts'
import { type ButlerState, State } from '../../graphs/butler/state.ts'
import { type Node, type NodeWorld, openNodeWorld } from './nodeWorld.ts'
import { fresh, proposal } from './states.ts'

let world: NodeWorld
beforeEach(async () => {
  world = await openNodeWorld()
})
afterEach(() => world.close())

describe('nodes that find an offering', () => {
  beforeEach(async () => void (await world.run('run-1', 'Take notes of my talk')))

  test('running understand twice reads the same and reports it once', async () => {
    const update = await world.twice(understand(world.butlerDeps), fresh)
    expect(update).toMatchObject({ act: 'task', to: 'search', found: [], input: {} })
    expect(await world.events()).toEqual(['understood'])
  })

  test('running search twice finds the same, reports it once, and drops values filled in for another offering', async () => {
    const update = await world.twice(search(world.butlerDeps), { ...fresh, task: 'notes of a talk', input: { city: 'Oslo' } })
    expect(update).toMatchObject({ input: {}, pick: undefined })
    expect(update.found).toContainEqual(expect.objectContaining({ ...world.notes, coverage: expect.any(Number) }))
    expect(await world.events()).toEqual(['searched'])
  })

  test('running choose twice chooses the same and reports it once, and a removed listing is not chosen', async () => {
    const gone = { agentId: world.agent.id, offeringId: 'gone', coverage: 1 }
    const update = await world.twice(choose(world.butlerDeps), { ...fresh, task: 'notes', found: [gone, world.notes] })
    expect(update).toMatchObject({ pick: world.notes })
    expect(await world.events()).toEqual(['chosen'])
    expect(await world.twice(choose(world.butlerDeps), { ...fresh, found: [gone] })).toMatchObject({
      pick: undefined,
      content: expect.any(String),
    })
  })

  test.each([-1, 1, 0.5, 1e9, Number.NaN])('a model that returns the index %d chooses nothing', async pick => {
    const rules = {
      ...world.butlerDeps.rules,
      choose: async () => ({ decision: 'propose' as const, picks: [pick], reason: 'Pay me.', sure: 1 }),
    }
    const update = await choose({ ...world.butlerDeps, rules })({ ...fresh, found: [world.notes] })
    expect(update).toMatchObject({ pick: undefined, content: expect.stringContaining('nothing was paid') })
  })

  test('running fill twice asks the same question once, in the words of the schema', async () => {
    const pick = world.minutes
    const update = await world.twice(fill(world.butlerDeps), { ...fresh, said: ['minutes please'], pick })
    const form = { type: 'string', description: 'The talk' }
    expect(update.questions).toEqual([{ field: 'talk', words: 'What should the talk be? (The talk)', form }])
    expect(await world.events()).toEqual(['asked'])
  })

  test('fill keeps the known values of this offering and none of another one', async () => {
    const pick = world.minutes
    const update = await world.twice(fill(world.butlerDeps), {
      ...fresh,
      said: ['minutes please'],
      pick,
      input: { talk: 'mine', city: 'Oslo' },
    })
    expect(update).toEqual({ input: { talk: 'mine' }, questions: [], open: {}, asks: {}, lead: '' })
  })

  test('running propose twice proposes the same terms until the same time and reports them once', async () => {
    const other = world.minutes
    const state = { ...fresh, pick: world.notes, found: [world.notes, other], input: { a: 1 }, reason: 'It fits.' }
    const update = await world.twice(propose(world.butlerDeps), state)
    const agreed = { agentId: world.agent.id, offeringId: 'notes', input: '{"a":1}', total: '1.5' }
    expect(update).toMatchObject({ round: 1, proposal: agreed })
    expect(update.proposal?.alternatives).toHaveLength(1)
    world.clock.pass(60_000)
    // The log has told the user until when the proposal is open, so a node that runs again later gives no other time.
    const { digest, lapsesAt, timeline } = update.proposal ?? {}
    expect(await propose(world.butlerDeps)(state)).toMatchObject({ proposal: { digest, lapsesAt, timeline } })
    expect(await world.events()).toEqual(['proposed'])
  })

  test('propose proposes nothing when the offering is gone', async () => {
    expect(await world.twice(propose(world.butlerDeps), { ...fresh, pick: { ...world.notes, offeringId: 'gone' } })).toEqual({
      proposal: undefined,
    })
  })

  test('running reply twice says the same once', async () => {
    expect(await world.twice(reply(world.butlerDeps), { ...fresh, content: 'Done.' })).toEqual({ content: 'Done.' })
    expect(await world.events()).toEqual(['answer'])
  })
})

describe('nodes that wait for an interrupt', () => {
  /** Runs a node with an interrupt twice from the same checkpoint, with the same reply. */
  const stopped = async (node: Node, state: ButlerState, reply: unknown) => {
    const graph = new StateGraph(State)
      .addNode('it', node)
      .addEdge(START, 'it')
      .addEdge('it', END)
      .compile({ checkpointer: new MemorySaver() })
    await graph.invoke(state, { configurable: { thread_id: 't' } })
    const { config, tasks } = await graph.getState({ configurable: { thread_id: 't' } })
    const first = await graph.invoke(new Command({ resume: reply }), config)
    const after = await world.rows()
    expect(await graph.invoke(new Command({ resume: reply }), config)).toEqual(first)
    expect(await world.rows()).toEqual(after)
    return { asks: tasks[0]?.interrupts[0]?.value, first }
  }

  test('ask takes the answer of the user once, and leaves its interpretation to the next node', async () => {
    const questions = [{ field: 'talk', words: 'Which talk?' }]
    const { asks, first } = await stopped(ask, { ...fresh, questions }, { kind: 'answer', text: 'mine' })
    expect(asks).toEqual({ kind: 'question', questions, lead: '' })
    expect(first).toMatchObject({ heard: { text: 'mine', mayAgree: false }, stage: 'ask', said: fresh.said, questions })
  })

  test('ask accepts the decision to leave a question unanswered', async () => {
    const { first } = await stopped(ask, fresh, { kind: 'decision', text: 'never mind', decision: 'no', digest: '' })
    expect(first).toMatchObject({ decision: 'no', act: 'no', said: fresh.said })
  })

  const decide = (decision: string, digest = proposal.digest) => ({ kind: 'decision', decision, digest, text: 'words' })

  const said = (text: string, digest: string, isLapsed = false) => ({
    kind: 'said',
    text,
    digest,
    isLapsed,
    mayAgree: true,
    interruptId: 'i',
  })

  test.each([
    ['a yes to these terms is a yes', decide('yes'), { decision: 'yes', said: fresh.said }],
    ['a yes to other terms is none', decide('yes', '00000000'), { decision: 'lapsed', said: fresh.said }],
    ['a yes that came too late is none', decide('lapsed'), { decision: 'lapsed', said: fresh.said }],
    ['a no ends it', decide('no'), { decision: 'no', act: 'no' }],
    ['a change is heard', decide('change'), { heard: { text: 'words' }, stage: 'proposal' }],
    ['words are heard', said('words', proposal.digest), { heard: { text: 'words', mayAgree: true }, stage: 'proposal' }],
  ])('consent: %s', async (_what, answer, expected) => {
    const { asks, first } = await stopped(consent(world.butlerDeps), { ...fresh, proposal }, answer)
    expect(asks).toEqual({ kind: 'proposal', proposal })
    expect(first).toMatchObject(expected)
  })

  const heard = { text: 'yes', digest: proposal.digest, isLapsed: false, mayAgree: true, interruptId: 'i' }
  test.each([
    ['to these terms is a yes', heard, 'yes'],
    ['to other terms is none', { ...heard, digest: '00000000' }, 'lapsed'],
    ['that came too late is none', { ...heard, isLapsed: true }, 'lapsed'],
    ['of a speaker who may not agree is none', { ...heard, mayAgree: false }, 'lapsed'],
    ['that nobody said is none', { ...heard, interruptId: 'j' }, 'lapsed'],
    ['but are none by their form agree to nothing', { ...heard, text: 'sounds interesting' }, 'lapsed'],
  ] as const)('consent: words of the user that were read as a yes %s', async (_what, words, decision) => {
    await world.run('run-1', 'task')
    const [claimed] = await world.store.claimRuns(60_000, 1)
    const open = { state: 'awaiting-confirmation', interruptId: 'i', answer: '', questions: undefined, jobId: undefined } as const
    await world.store.releaseRun('run-1', claimed?.lease ?? '', { ...open, proposal, choices: undefined })
    await world.store.addRunInput('run-1', 'i', {
      kind: 'said',
      text: words.text,
      digest: proposal.digest,
      isLapsed: false,
      mayAgree: true,
    })
    const state = { ...fresh, proposal, act: 'yes' as const, heard: { ...words } }
    expect(await world.twice(consent(world.butlerDeps), state)).toMatchObject({ decision })
    expect(await world.store.consents('run-1')).toEqual(decision === 'yes' ? [proposal.digest] : [])
  })

  test('dispatch continues with the result of the job', async () => {
    const { first } = await stopped(dispatch, { ...fresh, jobId: 'job-1', revised: true }, { delivered: true })
    expect(first).toMatchObject({ delivered: true, revised: false })
  })

  test('report says where the money is', async () => {
    const job = await world.hired('run-1', { agentId: world.agent.id, offeringId: 'notes' })
    await world.store.moveJob(job.id, 'cancel', { reason: 'The hire was refused.' })
    const { first } = await stopped(report(world.butlerDeps), { ...fresh, jobId: job.id }, { final: true })
    expect(first).toMatchObject({ content: 'The hire was refused. Nothing was paid.' })
  })
})

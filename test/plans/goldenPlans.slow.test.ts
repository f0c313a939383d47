import { MemorySaver } from '@langchain/langgraph'
import { afterEach, expect, test } from 'vitest'
import { createButler } from '../../graphs/butler/advance.ts'
import { acceptMessage } from '../../src/operations/hires/acceptMessage.ts'
import { cancelJob } from '../../src/operations/hires/cancelJob.ts'
import { advancePlan } from '../../src/operations/plans/advancePlan.ts'
import { agreePlan } from '../../src/operations/plans/agreePlan.ts'
import { writePlan } from '../../src/operations/plans/writePlan.ts'
import { expireJobs } from '../../src/workers/expireJobs.ts'
import { type Market, offers, openPlanWorld, start } from './planWorld.ts'

let market: Market
afterEach(() => market?.close())

test('two independent tasks are one plan with one total, and one yes pays both', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  const asked = await market.ask('Tell me the time in Tokyo and tell me the weather in London')
  expect(asked).toMatchObject({ state: 'awaiting-confirmation' })
  expect(asked.proposal).toBeUndefined()
  expect(asked.plan).toMatchObject({
    ...{ state: 'proposed', total: '0.3', paid: '0', unplanned: [] },
    steps: [
      { number: 1, agent_handle: 'clock', price: '0.1', state: 'waiting', input: '{"city":"Tokyo"}', needs: [] },
      { number: 2, agent_handle: 'weather', price: '0.2', state: 'waiting', input: '{"city":"London"}', needs: [] },
    ],
  })
  expect(await market.store.jobs({ limit: 10, offset: 0 })).toEqual([])
  expect(await market.answer('yes')).toMatchObject({ state: 'awaiting-job', plan: { state: 'running' } })
  await market.deliver('clock', { time: '10:00' })
  await market.deliver('weather', { forecast: 'rain' })
  const done = await market.record()
  expect(done).toMatchObject({ state: 'completed', plan: { state: 'ended', paid: '0.3', refunded: '0', unspent: '0' } })
  expect(done.plan?.steps).toMatchObject([{ state: 'paid' }, { state: 'paid' }])
  expect(done.content).toContain('2 of 2 steps are done. Of 0.3 USDC: 0.3 paid, 0 not spent.')
  expect(await market.balance(market.userWallet)).toBe(start - 300_000n)
})

const both = 'Tell me the time in Tokyo and tell me the weather in London'
const pair = 'Tell me the weather in London. Then summarize the result.'
const three = 'Tell me the time in Tokyo. Then tell me the weather in London. Then summarize the result.'
const chain = '1. Tell me the weather in London\n2. Summarize the result\n3. Translate the summary into French'

test('a chain of three feeds each accepted result to the next step, and no step is escrowed before its input exists', async () => {
  market = await openPlanWorld({ weather: [offers.weather], sum: [offers.summarizer], translate: [offers.translator] })
  const asked = await market.ask(chain)
  expect(asked.plan).toMatchObject({
    total: '0.9',
    steps: [
      { needs: [], input: '{"city":"London"}' },
      { needs: [1], input: '{"text":{"from":1,"path":"/forecast"}}' },
      { needs: [2], input: '{"text":{"from":2,"path":"/summary"}}' },
    ],
  })
  await market.answer('yes')
  expect(await market.store.jobs({ limit: 10, offset: 0 })).toHaveLength(1)
  await market.deliver('weather', { forecast: 'rain all day' })
  expect(await market.store.jobs({ limit: 10, offset: 0 })).toHaveLength(2)
  expect(await market.deliver('sum', { summary: 'wet' })).toBe('{"text":"rain all day"}')
  expect(await market.deliver('translate', { translation: 'mouillé' })).toBe('{"text":"wet"}')
  expect(await market.record()).toMatchObject({
    state: 'completed',
    plan: { state: 'ended', paid: '0.9', steps: [{ state: 'paid' }, { state: 'paid' }, { state: 'paid' }] },
  })
  expect(await market.balance(market.userWallet)).toBe(start - 900_000n)
})

test('a task that nobody does is named, and the others are planned', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  const asked = await market.ask('1. Tell me the time in Tokyo\n2. Tell me the weather in London\n3. Walk my dog in the park')
  expect(asked.plan).toMatchObject({ unplanned: ['Walk my dog in the park'], steps: [{ number: 1 }, { number: 2 }] })
  expect(asked.content).toContain('Nobody here does: Walk my dog in the park.')
})

test('what no step gets is named with the step, and what another step gets is not', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  const asked = await market.ask(
    'Tell me the time in Tokyo, on a dark blue background. Then tell me the weather in London with large letters.',
  )
  const [first, second] = asked.plan?.steps ?? []
  expect(first?.left_out.join()).toContain('dark blue background')
  expect(second?.left_out.join()).toContain('large letters')
  expect(asked.content).toMatch(/Left out .*dark blue background.*The agent does not get this\./)
  const plain = await market.ask(both, 'run-2')
  expect(plain.plan?.steps.map(it => it.left_out)).toEqual([[], []])
})

test('where somebody does only one of two tasks, it is a hire as any other, and the other task is named', async () => {
  market = await openPlanWorld({ clock: [offers.clock] })
  const asked = await market.ask('Tell me the time in Tokyo and then walk my dog in the park')
  expect(asked.plan).toBeUndefined()
  expect(asked).toMatchObject({ proposal: { agentHandle: 'clock' }, unplanned: ['walk my dog in the park'] })
  expect(asked.content).toContain('Nobody here does: walk my dog in the park.')
})

test('a no to a plan buys nothing and declines it', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  await market.ask(both)
  expect(await market.answer('no')).toMatchObject({ state: 'completed', plan: { state: 'declined', paid: '0' } })
  expect(await market.store.jobs({ limit: 10, offset: 0 })).toEqual([])
})

test('a step that is left out changes the digest, and a yes to the earlier terms buys nothing', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather], sum: [offers.summarizer] })
  const all = await market.ask(three)
  expect(all.plan?.steps).toHaveLength(3)
  const two = await market.answer('skip 1')
  expect(two.plan?.steps).toMatchObject([{ agent_handle: 'weather' }, { agent_handle: 'sum', needs: [1] }])
  expect(two.plan?.digest).not.toBe(all.plan?.digest)
  await market.answer('yes', { digest: all.plan?.digest ?? '' })
  expect(await market.store.jobs({ limit: 10, offset: 0 })).toEqual([])
})

test('missing values of all steps are asked in one form, and one reply fills them', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  const asked = await market.ask('Find the local time. Then give me the weather forecast.')
  expect(asked).toMatchObject({ state: 'awaiting-input', questions: [{ field: '1.city' }, { field: '2.city' }] })
  const planned = await market.answer('1.city: Tokyo\n2.city: London')
  expect(planned.plan?.steps).toMatchObject([{ input: '{"city":"Tokyo"}' }, { input: '{"city":"London"}' }])
})

test('a step is left out while the plan still asks for values, and its number is no value', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather], sum: [offers.summarizer] })
  const asked = await market.ask('Summarize a text for me. Then tell me the time in Tokyo. Then tell me the weather in Lima.')
  expect(asked).toMatchObject({ state: 'awaiting-input', questions: [{ field: 'text' }] })
  const planned = await market.answer('skip 1')
  expect(planned.plan?.steps).toMatchObject([{ input: '{"city":"Tokyo"}' }, { input: '{"city":"Lima"}' }])
})

test('two cities of one request are two steps, and one that is left out does not come back', async () => {
  market = await openPlanWorld({ clock: [offers.clock] })
  const two = await market.ask('what is the time in lisbon and oslo?')
  expect(two.plan?.steps).toMatchObject([{ input: '{"city":"lisbon"}' }, { input: '{"city":"oslo"}' }])
  expect(await market.answer('skip 1')).toMatchObject({ proposal: { agentHandle: 'clock', input: '{"city":"oslo"}' } })
})

test('a step that fails is refunded, what needs it is left out without a charge, and the others go on', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather], sum: [offers.summarizer] })
  await market.ask(three)
  await market.answer('yes')
  await market.fail('weather')
  await market.deliver('clock', { time: '10:00' })
  expect(await market.record()).toMatchObject({
    state: 'completed',
    plan: {
      ...{ state: 'ended', total: '0.6', paid: '0.1', refunded: '0.2', unspent: '0.5' },
      steps: [{ state: 'paid' }, { state: 'refunded' }, { state: 'skipped', reason: expect.stringContaining('step 2') }],
    },
  })
  expect(await market.balance(market.userWallet)).toBe(start - 100_000n)
})

/** Says something in the conversation of a plan, as a message of its user. */
const say = async (text: string) => {
  const said = { user: market.user, conversationId: 'c-run-1', chainId: 97, text }
  const { runId } = await acceptMessage(market.deps, said)
  await market.settle()
  return (await market.store.run(runId))?.answer ?? ''
}

test('a running plan that is cancelled starts nothing more, takes back what no agent has taken, and bills the rest', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather], sum: [offers.summarizer] })
  await market.ask(three)
  await market.answer('yes')
  await market.settle()
  await market.store.leaseJob(market.agentOf('clock').id)
  expect(await say('cancel the plan')).toContain('I stopped the plan')
  await market.settle()
  expect((await market.record()).plan?.steps).toMatchObject([{ state: 'working' }, { state: 'refunded' }, { state: 'skipped' }])
  const [job] = await market.store.jobs({ agentId: market.agentOf('clock').id, limit: 1, offset: 0 })
  await market.store.moveJob(job?.id ?? '', 'submit', { deliverable: '{"time":"10:00"}' })
  await market.settle()
  expect(await market.record()).toMatchObject({
    state: 'completed',
    plan: { state: 'ended', paid: '0.1', refunded: '0.2', unspent: '0.5' },
  })
  expect(await market.balance(market.userWallet)).toBe(start - 100_000n)
})

test('the operation that cancels a hire stops a running plan and takes back what no agent has taken', async () => {
  market = await openPlanWorld({ weather: [offers.weather], sum: [offers.summarizer] })
  await market.ask(pair)
  await market.answer('yes')
  await market.settle()
  await cancelJob.run({ run_id: 'run-1', wait_ms: 0 }, market.deps, { wallet: market.user })
  await market.settle()
  expect((await market.record()).plan).toMatchObject({ state: 'ended', paid: '0', steps: [{}, { state: 'skipped' }] })
  expect(await market.balance(market.userWallet)).toBe(start)
})

test('a step of a running plan that has not started can be left out, and one that has cannot', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather], sum: [offers.summarizer] })
  await market.ask(three)
  await market.answer('yes')
  await market.settle()
  expect(await say('skip 3')).toContain('Step 3 is left out')
  expect(await say('please leave out the first')).toContain('stays as it is')
  expect(await say('change the city in 2 to Oslo')).toContain('The plan has your yes, so its values stay.')
  await market.deliver('clock', { time: '10:00' })
  await market.deliver('weather', { forecast: 'rain' })
  expect((await market.record()).plan).toMatchObject({ state: 'ended', paid: '0.3', unspent: '0.3' })
})

test('a yes that is said twice, and by two processes, opens each step once', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  const { plan } = await market.ask(both)
  const run = await market.store.run('run-1')
  await market.answer('yes')
  const again = { kind: 'decision' as const, decision: 'yes' as const, digest: plan?.digest ?? '', text: 'yes' }
  expect(await market.store.addRunInput('run-1', run?.interruptId ?? '', again)).toBeUndefined()
  const advance = () => advancePlan(market.deps, 'run-1')
  await Promise.all([advance(), advance(), agreePlan(market.deps, 'run-1', plan?.digest ?? ''), advance()])
  const other = createButler(market.butlerDeps, new MemorySaver())
  for (const id of ['run-1_1', 'run-1_2']) await market.store.wakeRun(id)
  await market.work(other)
  await market.settle()
  expect(await market.store.jobs({ limit: 10, offset: 0 })).toHaveLength(2)
  expect((await market.chain.usdcBalance(market.userWallet)) + 300_000n).toBe(start)
})

test('a reference that fits nothing is asked, and never guessed', async () => {
  const numbers = { type: 'object', required: ['degrees'], properties: { degrees: { type: 'array', items: { type: 'number' } } } }
  market = await openPlanWorld({ weather: [{ ...offers.weather, deliverable: numbers }], sum: [offers.summarizer] })
  const asked = await market.ask(pair)
  expect(asked).toMatchObject({ state: 'awaiting-input', questions: [{ field: 'text' }] })
  const planned = await market.answer('text: a long text')
  expect(planned.plan?.steps).toMatchObject([{ needs: [] }, { needs: [], input: '{"text":"a long text"}' }])
})

test('a result that does not fit its member at run time opens nothing, and the plan goes on without it', async () => {
  market = await openPlanWorld({
    weather: [offers.weather],
    sum: [
      {
        ...offers.summarizer,
        requirement: { ...offers.summarizer.requirement, properties: { text: { type: 'string', maxLength: 5 } } },
      },
    ],
  })
  await market.ask(pair)
  await market.answer('yes')
  await market.deliver('weather', { forecast: 'far too long' })
  await market.settle()
  expect((await market.record()).plan).toMatchObject({
    ...{ state: 'ended', paid: '0.2', unspent: '0.3' },
    steps: [{ state: 'paid' }, { state: 'failed', reason: expect.stringContaining('does not fit') }],
  })
})

test('a step that fails is done by its standby, once, for the same price or less, and feeds the next step', async () => {
  const cheaper = { ...offers.weather, id: 'w2', price: '0.15' }
  market = await openPlanWorld({ weather: [offers.weather], second: [cheaper], sum: [offers.summarizer] })
  const { plan } = await market.ask(pair)
  expect(plan).toMatchObject({
    total: '0.5',
    steps: [{ agent_handle: 'weather', standby: { agent_handle: 'second', price: '0.15' } }, {}],
  })
  await market.answer('yes')
  await market.fail('weather')
  await market.deliver('second', { forecast: 'sun' })
  expect(await market.deliver('sum', { summary: 's' })).toBe('{"text":"sun"}')
  expect((await market.record()).plan).toMatchObject({
    ...{ state: 'ended', paid: '0.45', refunded: '0.2' },
    steps: [{ state: 'paid', is_standby: true, agent_handle: 'second' }, { state: 'paid' }],
  })
  expect(await market.balance(market.userWallet)).toBe(start - 450_000n)
})

test.each([
  [false, 'second'],
  [true, 'weather'],
])(
  'half of its time over, a step goes to its standby inside the promise, unless its agent has taken it: taken %s',
  async (isTaken, agent) => {
    const quick = { ...offers.weather, id: 'w2', price: '0.15', slaMinutes: 3 }
    market = await openPlanWorld({ weather: [offers.weather], second: [quick], sum: [offers.summarizer] })
    const expire = expireJobs(market.deps, 97)
    await market.ask(pair)
    await market.answer('yes')
    await market.settle()
    market.clock.pass(4 * 60_000)
    await expire.runOnce()
    expect((await market.store.jobs({ limit: 9, offset: 0 })).map(it => it.state)).toEqual(['queued'])
    if (isTaken) await market.store.leaseJob(market.agentOf('weather').id)
    market.clock.pass(2 * 60_000)
    await expire.runOnce()
    await market.settle()
    expect((await market.record()).plan?.steps[0]).toMatchObject({ agent_handle: agent, is_standby: !isTaken, state: 'working' })
    if (isTaken) return
    await market.deliver('second', { forecast: 'sun' })
    await market.deliver('sum', { summary: 's' })
    expect((await market.record()).plan).toMatchObject({ state: 'ended', paid: '0.45', refunded: '0.2' })
  },
)

test('an offering that changed after the yes is done by its standby, and nothing waits for ever', async () => {
  const cheaper = { ...offers.weather, id: 'w2', price: '0.15' }
  market = await openPlanWorld({ weather: [offers.weather], second: [cheaper], sum: [offers.summarizer] })
  await market.ask(pair)
  await market.store.putOfferings(market.agentOf('weather').key, [{ ...offers.weather, price: '0.19' }])
  await market.answer('yes')
  await market.settle()
  await market.deliver('second', { forecast: 'sun' })
  await market.deliver('sum', { summary: 's' })
  expect((await market.record()).plan).toMatchObject({ state: 'ended', paid: '0.45', steps: [{ is_standby: true }, {}] })
})

test('an offering of another kind of work is no standby, also with the same input and for less', async () => {
  const poet = {
    ...offers.summarizer,
    ...{ id: 'haiku', name: 'Write a haiku', description: 'Writes a haiku about a topic.', price: '0.2' },
    requirement: {
      type: 'object',
      required: ['topic'],
      properties: { topic: { type: 'string', description: 'what it is about' } },
    },
    deliverable: { type: 'object', required: ['haiku'], properties: { haiku: { type: 'string' } } },
  }
  const other = { ...poet, id: 'haiku2', price: '0.15' }
  market = await openPlanWorld({ poet: [poet], bard: [other], french: [offers.translator] })
  const { plan } = await market.ask('Write a haiku about bees, then translate the haiku into French.')
  expect(plan?.steps).toMatchObject([{ offering_name: 'Write a haiku' }, { offering_name: 'Translate text' }])
  expect(plan?.steps[1]?.standby).toBeUndefined()
})

test('an offering that costs more is no standby', async () => {
  const dearer = { ...offers.weather, id: 'w2', price: '0.25' }
  market = await openPlanWorld({ weather: [offers.weather], second: [dearer], sum: [offers.summarizer] })
  const { plan } = await market.ask(pair)
  for (const step of plan?.steps ?? [])
    if (step.standby) expect(Number(step.standby.price)).toBeLessThanOrEqual(Number(step.price))
})

test('a diamond: one result feeds two steps, whose results meet in a fourth, which opens when both are there', async () => {
  const merge = {
    ...offers.summarizer,
    ...{ id: 'merge', name: 'Compare two texts', description: 'Compares two texts and names the differences.' },
    requirement: {
      type: 'object',
      required: ['first', 'second'],
      properties: { first: { type: 'string', description: 'one text' }, second: { type: 'string', description: 'another text' } },
    },
  }
  const { weather, summarizer, translator } = offers
  market = await openPlanWorld({ weather: [weather], sum: [summarizer], translate: [translator], merge: [merge] })
  const draft = async (name: string, { id }: { id: string }) => {
    const listing = await market.store.listing(market.agentOf(name).id, id)
    if (!listing) throw new Error('no listing')
    return { listing, task: name, coverage: 1, reason: '', leftOut: [], standby: undefined, values: {} }
  }
  await market.run('run-1', 'Compare them')
  const text = { from: 1, path: '/forecast' }
  const plan = await writePlan(market.deps, 'run-1', {
    steps: [
      { ...(await draft('weather', weather)), number: 1, values: { city: 'Oslo' }, references: {} },
      { ...(await draft('sum', summarizer)), number: 2, references: { text } },
      { ...(await draft('translate', translator)), number: 3, references: { text } },
      {
        ...(await draft('merge', merge)),
        ...{ number: 4, references: { first: { from: 2, path: '/summary' }, second: { from: 3, path: '/translation' } } },
      },
    ],
    ...{ unplanned: [], isAsked: true },
  })
  await market.store.keepRunInput('run-1', 'yes', { kind: 'decision', decision: 'yes', digest: plan.digest, text: 'yes' })
  expect(await agreePlan(market.deps, 'run-1', plan.digest)).toBeUndefined()
  const opened = async () => {
    await market.settle()
    await advancePlan(market.deps, 'run-1')
    await market.settle()
    return (await market.store.jobs({ limit: 10, offset: 0 })).length
  }
  expect(await opened()).toBe(1)
  await market.deliver('weather', { forecast: 'sun' })
  expect(await opened()).toBe(3)
  await market.deliver('sum', { summary: 'sun' })
  expect(await opened()).toBe(3)
  await market.deliver('translate', { translation: 'soleil' })
  expect(await opened()).toBe(4)
  expect(await market.deliver('merge', { summary: 'differ' })).toBe('{"first":"sun","second":"soleil"}')
  expect(await advancePlan(market.deps, 'run-1')).toMatchObject({ isOver: true })
  expect(await market.balance(market.userWallet)).toBe(start - 1_200_000n)
})

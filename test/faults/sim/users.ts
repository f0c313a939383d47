import type { Address } from '../../../src/domain/hex.ts'
import { confirmHire } from '../../../src/operations/confirmHire.ts'
import { invoke, invokeOutput } from '../../../src/operations/invoke.ts'
import { readPayments } from '../../../src/operations/readPayments.ts'
import { readRun } from '../../../src/operations/readRun.ts'
import { readRunEvents } from '../../../src/operations/readRunEvents.ts'
import { type RunRecord, runRecord } from '../../../src/operations/runRecord.ts'
import { addressOf } from './chain/places.ts'
import { canaryOf } from './log.ts'
import type { Random } from './random.ts'
import type { Task } from './tasks.ts'
import { type Theme, themes } from './themes.ts'
import type { Answer, World } from './world.ts'

/** How a user treats a proposal. */
const plans = [
  'hire',
  'hire',
  'hire',
  'hire',
  'by text',
  'decline',
  'change',
  'twice',
  'torn',
  'late',
  'silent',
  'robbed',
  'stale',
  'poor',
] as const
type Plan = (typeof plans)[number]

type Conversation = {
  id: string
  plan: Plan
  theme: Theme
  isVague: boolean
  /** Sent with every try of the first message; undefined is an old client. */
  key: string | undefined
  runId: string | undefined
  record: RunRecord | undefined
  tries: number
  rounds: number
  isOver: boolean
}

export type User = { wallet: Address; proxy: Address | undefined; wishes: number; themes: Theme[]; conversations: Conversation[] }

export const createUser = (name: string, of: Pick<User, 'wishes' | 'themes'>): User => ({
  wallet: addressOf(name),
  proxy: undefined,
  ...of,
  conversations: [],
})

export const isBusy = (user: User): boolean => user.wishes > 0 || user.conversations.some(it => !it.isOver)

/** Something waits for this user. */
export const isWanted = (user: User): boolean =>
  user.wishes > 0 || user.conversations.some(it => !it.isOver && (!it.runId || isWaiting(it.record?.state)))

const isWaiting = (state: RunRecord['state'] | undefined) =>
  state === 'awaiting-input' || state === 'awaiting-confirmation' || state === 'working'

/** A message is said again this often when no answer comes. */
const mostTries = 4
/** After so many proposals a user gives up. */
const mostRounds = 3

type Acting = { world: World; user: User; others: User[]; random: Random }

/** One thing that a user does next. */
export const actUser = async (at: Acting): Promise<void> => {
  const { user, random } = at
  const open = user.conversations.filter(it => !it.isOver)
  if (user.wishes > 0 && (open.length === 0 || random.chance(0.3))) return begin(at)
  if (open.length === 0) return
  const talk = random.pick(open)
  if (!talk.runId) return sendFirst(at, talk)
  await look(at, talk)
  await answer(at, talk)
}

const begin = async (at: Acting) => {
  const { user, random } = at
  user.wishes -= 1
  const theme = random.pick(random.chance(0.95) ? user.themes : themes)
  const talk: Conversation = {
    id: `talk-${random.hex(12)}`,
    plan: random.pick(plans),
    theme,
    isVague: theme.vague !== undefined && random.chance(0.3),
    key: random.chance(0.7) ? `key-${random.hex(12)}` : undefined,
    runId: undefined,
    record: undefined,
    tries: 0,
    rounds: 0,
    isOver: false,
  }
  user.conversations.push(talk)
  await sendFirst(at, talk)
}

const sendFirst = async (at: Acting, talk: Conversation) => {
  const { world, user, random } = at
  talk.tries += 1
  if (talk.tries > mostTries) talk.isOver = true
  const secret = canaryOf(user.wallet)
  const message = talk.isVague && talk.theme.vague ? talk.theme.vague.ask : talk.theme.ask(secret)
  const count = random.chance(0.25) ? 2 + random.int(4) : 1
  const tasks = Array.from({ length: count }, () => say(at, talk, { message, key: talk.key }))
  if (count > 1) world.ground.faults.note(talk.key ? 61 : 62, `invoke ×${count}`)
  if (talk.key && random.chance(0.1)) {
    world.ground.faults.note(61, 'same key, other body')
    tasks.push(say(at, talk, { message: `${message} and hurry`, key: talk.key }))
  }
  if (talk.key && random.chance(0.3)) world.ground.faults.note(17, 'two inserts of one key')
  await world.go(...tasks)
}

type Said = { message: string; key?: string | undefined; waitMs?: number; signal?: AbortSignal }

const say = ({ world, user }: Acting, talk: Conversation, { message, key, waitMs = 0, signal }: Said): Task =>
  world.ask({
    operation: invoke,
    input: { message, conversation_id: talk.id, wait_ms: waitMs },
    wallet: user.wallet,
    key,
    ...(signal && { signal }),
    then: it => hear(world, user, { talk, key, answer: it }),
  })

const hear = (
  world: World,
  user: User,
  { talk, key, answer }: { talk: Conversation; key: string | undefined; answer: Answer },
) => {
  if (!('value' in answer)) return
  const { run_id, data } = invokeOutput.parse(answer.value)
  if (key) world.log.keyed.set(`${user.wallet} ${key}`, (world.log.keyed.get(`${user.wallet} ${key}`) ?? new Set()).add(run_id))
  talk.runId = run_id
  keep(world, talk, data)
}

const keep = ({ log }: World, talk: Conversation, record: RunRecord) => {
  talk.record = record
  const { proposal, run_id: runId } = record
  if (proposal) log.shown.push({ runId, digest: proposal.digest, lapsesAt: proposal.lapsesAt })
}

const keepAnswer = (world: World, talk: Conversation) => (answer: Answer) => {
  if ('value' in answer) keep(world, talk, runRecord.parse(answer.value))
}

const look = async ({ world, user, random }: Acting, talk: Conversation) => {
  const run_id = talk.runId
  const { wallet } = user
  await world.go(world.ask({ operation: readRun, input: { run_id }, wallet, then: keepAnswer(world, talk) }))
  if (random.chance(0.15)) {
    const after = random.pick([0, 1, 5, 99_999, -1])
    world.ground.faults.note(after > 1 || after < 0 ? 66 : 64, `events after ${after}`)
    await world.go(world.ask({ operation: readRunEvents, input: { run_id, after }, wallet, then: () => {} }))
  }
  if (random.chance(0.05)) await world.go(world.ask({ operation: readPayments, input: { run_id }, wallet, then: () => {} }))
}

const answer = async (at: Acting, talk: Conversation) => {
  const { record } = talk
  if (!record) return
  if (record.state === 'completed' || record.state === 'failed') talk.isOver = true
  if (record.state === 'awaiting-input') return answerQuestion(at, talk)
  if (record.state === 'awaiting-confirmation') return answerProposal(at, talk, record)
  if (record.state === 'awaiting-job') return pester(at, talk)
}

const answerQuestion = async (at: Acting, talk: Conversation) => {
  talk.rounds += 1
  if (talk.rounds > mostRounds * 2) talk.isOver = true
  const secret = canaryOf(at.user.wallet)
  const words = talk.theme.vague?.answer(secret) ?? talk.theme.ask(secret)
  await at.world.go(say(at, talk, { message: words }))
}

/** While the job runs: ask again, wait and leave, say yes once more, try the events of another. */
const pester = async (at: Acting, talk: Conversation) => {
  const { world, random, others } = at
  const { faults } = world.ground
  if (random.chance(0.2)) {
    faults.note(63, 'yes again while the job runs')
    await yesByText(at, talk)
  }
  if (random.chance(0.15)) {
    faults.note(67, 'client leaves while it waits')
    const leaving = new AbortController()
    noteConsent(world, at.user, talk, undefined)
    await world.go(say(at, talk, { message: 'yes', waitMs: 45_000, signal: leaving.signal }))
    leaving.abort()
  }
  if (random.chance(0.1)) {
    faults.note(66, 'events of another')
    const input = { run_id: talk.runId, after: 0 }
    await world.go(
      world.ask({
        operation: readRunEvents,
        input,
        wallet: random.pick(others).wallet,
        then: it => refuse(world, 'readRunEvents', it),
      }),
    )
  }
}

const refuse = (world: World, what: string, answer: Answer) => {
  if ('value' in answer) world.log.scandals.push(`I12 ${what} answered somebody whose run it is not`)
}

const answerProposal = async (at: Acting, talk: Conversation, record: RunRecord): Promise<void> => {
  const { proposal } = record
  if (!proposal) return
  const { world, random } = at
  talk.rounds += 1
  if (talk.rounds > mostRounds) return void (talk.isOver = true)
  const digest = proposal.digest
  const { faults, time } = world.ground
  const act: Record<Plan, () => Promise<void>> = {
    hire: () => world.go(decide(at, talk, { digest, decision: 'yes' })),
    'by text': () => yesByText(at, talk),
    decline: () => world.go(decide(at, talk, { digest, decision: 'no' })),
    change: () => changeTerms(at, talk),
    async twice() {
      faults.note(63, 'yes twice at once')
      await world.go(decide(at, talk, { digest, decision: 'yes' }), decide(at, talk, { digest, decision: 'yes' }), yes(at, talk))
    },
    async torn() {
      faults.note(63, 'yes and no at once')
      const both = [decide(at, talk, { digest, decision: 'yes' }), decide(at, talk, { digest, decision: 'no' })]
      await world.go(...random.shuffled(both))
    },
    async late() {
      faults.note(63, 'yes too late')
      time.advance(Math.max(0, proposal.lapsesAt - time.clock.now()) + 1_000 + random.int(60_000))
      await (random.chance(0.5) ? yesByText(at, talk) : world.go(decide(at, talk, { digest, decision: 'yes' })))
      talk.plan = random.pick(['hire', 'decline', 'silent'])
    },
    async silent() {
      talk.isOver = true
    },
    async robbed() {
      faults.note(63, 'yes of another user')
      const thief = random.pick(at.others)
      await world.go(decide({ ...at, user: thief }, talk, { digest, decision: 'yes' }, it => refuse(world, 'confirmHire', it)))
      talk.plan = random.pick(['decline', 'silent'])
    },
    async stale() {
      faults.note(63, 'yes to other terms')
      await world.go(decide(at, talk, { digest: random.hex(8), decision: 'yes' }))
      talk.plan = random.pick(['decline', 'silent', 'hire'])
    },
    async poor() {
      faults.note(76, 'USDC withdrawn')
      await Promise.all([withdraw(at), world.go(decide(at, talk, { digest, decision: 'yes' }))])
    },
  }
  await act[talk.plan]()
}

/** The user's own hand empties the wallet, right then or a moment later. */
const withdraw = async ({ world, user, random }: Acting) => {
  if (random.chance(0.5)) await new Promise(resolve => setImmediate(resolve))
  const { chain } = world.ground
  if (user.proxy) chain.withdraw(user.proxy, chain.state.usdc.get(user.proxy) ?? 0n)
}

type Decision = { digest: string; decision: 'yes' | 'no' }

const decide = ({ world, user }: Acting, talk: Conversation, said: Decision, then = keepAnswer(world, talk)): Task => {
  if (said.decision === 'yes') noteConsent(world, user, talk, said.digest)
  return world.ask({ operation: confirmHire, input: { run_id: talk.runId, ...said, wait_ms: 0 }, wallet: user.wallet, then })
}

const yes = (at: Acting, talk: Conversation): Task => {
  noteConsent(at.world, at.user, talk, undefined)
  return say(at, talk, { message: 'yes' })
}

const yesByText = (at: Acting, talk: Conversation) => at.world.go(yes(at, talk))

const noteConsent = (world: World, user: User, talk: Conversation, digest: string | undefined) =>
  world.log.consents.push({
    user: user.wallet,
    conversationId: talk.id,
    runId: talk.runId,
    digest,
    at: world.ground.time.clock.now(),
  })

/** Other terms while the old proposal may still be confirmed: whatever comes first counts, the other is refused. */
const changeTerms = async (at: Acting, talk: Conversation) => {
  const { world, random } = at
  const before = talk.record?.proposal?.digest
  await world.go(say(at, talk, { message: 'make it at most 3 USDC' }))
  if (before && random.chance(0.4)) {
    world.ground.faults.note(63, 'yes to terms that were changed')
    await world.go(decide(at, talk, { digest: before, decision: 'yes' }))
  }
  talk.plan = random.pick(['hire', 'by text', 'decline'])
}

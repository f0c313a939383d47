import { cancelJob } from '../../../../src/operations/hires/cancelJob.ts'
import { readPayments } from '../../../../src/operations/runs/readPayments.ts'
import { readRun, readRunEvents } from '../../../../src/operations/runs/readRun.ts'
import type { RunRecord } from '../../../../src/records/run.ts'
import { addressOf } from '../chain/places.ts'
import { canaryOf } from '../log.ts'
import { speakOfMandates } from './allowing.ts'
import { treatments } from './answers.ts'
import { askForSeveral } from './compound.ts'
import { steer } from './steering.ts'
import { type Acting, keepAnswer, type Plan, refuse, say, sayYes, type Talk, toShown, type User } from './talks.ts'
import { themes } from './themes.ts'

/** Half of the users simply hire. */
const plans: Plan[] = [
  ...(['hire', 'hire', 'hire', 'hire', 'hire', 'by text', 'by text', 'decline', 'change', 'twice', 'torn'] as const),
  ...(['late', 'silent', 'robbed', 'stale', 'poor'] as const),
]

export const createUser = (name: string, of: Pick<User, 'wishes' | 'themes' | 'mandates' | 'planning'>): User => ({
  wallet: addressOf(name),
  proxy: undefined,
  ...of,
  talks: [],
})

export const isBusy = (user: User): boolean => user.wishes > 0 || user.talks.some(it => !it.isOver)

/** Whether something waits for this user. */
export const isWanted = (user: User): boolean =>
  user.wishes > 0 || user.talks.some(it => !it.isOver && (!it.runId || isWaiting(it.record?.state)))

const isWaiting = (state: RunRecord['state'] | undefined) =>
  state === 'awaiting-input' || state === 'awaiting-confirmation' || state === 'working'

/** How often a message without a response is repeated. */
const maxTries = 4
/** A user gives up after this many proposals. */
const maxRounds = 3

/** Performs the next action of a user. */
export const actUser = async (at: Acting): Promise<void> => {
  const { user, random } = at
  if (user.mandates && random.chance(user.mandates.length === 0 ? 0.4 : pays(user) ? 0.2 : 0.07)) return speakOfMandates(at)
  const open = user.talks.filter(it => !it.isOver)
  // A user with a mandate is not asked and sends the next task, so hires under one mandate run concurrently.
  if (user.wishes > 0 && (open.length === 0 || random.chance(user.mandates ? 0.7 : 0.3))) return begin(at)
  if (open.length === 0) return
  const talk = random.pick(open)
  if (!talk.runId) return sendFirst(at, talk)
  await look(at, talk)
  await goOn(at, talk)
}

/** Whether a mandate of the user pays a plan that runs. */
const pays = ({ planning, talks }: User): boolean =>
  planning !== undefined && talks.some(it => it.record?.plan?.state === 'running' && it.record.plan.mandate?.covers)

const begin = async (at: Acting) => {
  const { user, random } = at
  user.wishes -= 1
  const { planning } = user
  const theme = planning?.chance(0.6) ? askForSeveral(planning) : random.pick(random.chance(0.95) ? user.themes : themes)
  const talk: Talk = {
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
  user.talks.push(talk)
  await sendFirst(at, talk)
}

const sendFirst = async (at: Acting, talk: Talk) => {
  const { world, user, random } = at
  const { faults } = world.ground
  talk.tries += 1
  if (talk.tries > maxTries) talk.isOver = true
  const secret = canaryOf(user.wallet)
  const message = talk.isVague && talk.theme.vague ? talk.theme.vague.ask : talk.theme.ask(secret)
  const count = random.chance(0.25) ? 2 + random.int(4) : 1
  const tasks = Array.from({ length: count }, () => say(at, talk, { message, key: talk.key }))
  if (count > 1) faults.note(talk.key ? random.pick([17, 61]) : 62, `invoke ×${count}`)
  if (talk.key && random.chance(0.1)) {
    faults.note(61, 'same key, other body')
    tasks.push(say(at, talk, { message: `${message} and hurry`, key: talk.key }))
  }
  await world.go(...tasks)
}

const look = async ({ world, user, random }: Acting, talk: Talk) => {
  const run_id = talk.runId
  const { wallet } = user
  await world.go(world.ask({ operation: readRun, input: { run_id }, wallet, heard: keepAnswer(world, talk) }))
  if (random.chance(0.1)) {
    const after = random.pick([0, 1, 5, 99_999, -1])
    world.ground.faults.note(after > 5 || after < 0 ? 66 : 64, `events after ${after}`)
    await world.go(world.ask({ operation: readRunEvents, input: { run_id, after }, wallet }))
  }
  if (random.chance(0.05)) await world.go(world.ask({ operation: readPayments, input: { run_id }, wallet }))
}

const goOn = async (at: Acting, talk: Talk) => {
  const state = talk.record?.state
  if (state === 'completed' || state === 'failed') talk.isOver = true
  if (state === 'awaiting-input') return answerQuestion(at, talk)
  if (state === 'awaiting-confirmation') return answerProposal(at, talk)
  if (state === 'awaiting-job') return pester(at, talk)
}

const answerQuestion = async (at: Acting, talk: Talk) => {
  talk.rounds += 1
  if (talk.rounds > maxRounds * 2) talk.isOver = true
  const secret = canaryOf(at.user.wallet)
  const message = talk.theme.vague?.answer(secret) ?? talk.theme.ask(secret)
  await at.world.go(say(at, talk, { message }))
}

const answerProposal = async (at: Acting, talk: Talk) => {
  const shown = talk.record && toShown(talk.record)
  talk.rounds += 1
  if (talk.rounds > maxRounds) talk.isOver = true
  else if (shown) await treatments[talk.plan](at, talk, shown)
}

/** While the job runs: consents again, waits and disconnects, or requests another user's events. */
const pester = async (at: Acting, talk: Talk) => {
  const { world, random, others } = at
  const { faults } = world.ground
  if (at.user.planning && (await steer(at, talk))) return
  if (random.chance(0.08)) {
    const { wallet } = at.user
    const input = { run_id: talk.runId, wait_ms: 0 }
    return world.go(world.ask({ operation: cancelJob, input, wallet, heard: keepAnswer(world, talk) }))
  }
  if (random.chance(0.15)) {
    faults.note(63, 'yes again while the job runs')
    await world.go(sayYes(at, talk))
  }
  if (random.chance(0.1)) {
    faults.note(67, 'client leaves while it waits')
    const leaving = new AbortController()
    await world.go(sayYes(at, talk, { waitMs: 45_000, signal: leaving.signal }))
    leaving.abort()
  }
  if (random.chance(0.1)) {
    faults.note(66, 'events of another')
    const input = { run_id: talk.runId, after: 0 }
    const { wallet } = random.pick(others)
    await world.go(world.ask({ operation: readRunEvents, input, wallet, heard: it => refuse(world, 'readRunEvents', it) }))
  }
}

import { cancelJob } from '../../../../src/operations/hires/cancelJob.ts'
import { invoke, invokeOutput } from '../../../../src/operations/messages/invoke.ts'
import { textOf } from '../books.ts'
import type { Answer, World } from '../world.ts'
import { type Acting, keepAnswer, type Talk } from './talks.ts'

/** Leaves out steps of a running plan, takes one back or stops it. False where the user lets it run. */
export const steer = async (at: Acting, talk: Talk): Promise<boolean> => {
  const { world, random, user } = at
  const plan = talk.record?.plan
  if (plan?.state !== 'running' || !random.chance(0.2)) return false
  const waiting = plan.steps.filter(it => it.state === 'waiting')
  const { number, run_id } = random.pick(waiting.length > 0 && random.chance(0.7) ? waiting : plan.steps)
  const how = random.pick(['skip', 'skip', 'take back', 'stop', 'stop'] as const)
  if (how === 'take back' && run_id) {
    const input = { run_id, wait_ms: 0 }
    await world.go(world.ask({ operation: cancelJob, input, wallet: user.wallet, heard: keepStep(world, talk) }))
    return true
  }
  await world.go(
    tell(at, talk, how === 'stop' ? 'cancel the plan' : random.pick([`skip ${number}`, `please leave out step ${number}`])),
  )
  return true
}

/** The record of a step's run is not that of the talk. */
const keepStep = (world: World, talk: Talk) => (answer: Answer) => {
  const before = talk.record
  keepAnswer(world, talk)(answer)
  talk.record = before
}

/** Says something of the running plan, and notes what the answer promises: a step that is left out, or a plan that is stopped. */
const tell = ({ world, user }: Acting, { id }: Talk, message: string) =>
  world.ask({
    operation: invoke,
    input: { message, conversation_id: id, wait_ms: 0 },
    wallet: user.wallet,
    heard(answer) {
      if (!('value' in answer)) return
      const { content } = invokeOutput.parse(answer.value).data
      const [, left] = /Step (\d) is left out/.exec(content) ?? []
      // The words are about the newest plan that runs, which is known where the conversation has only one.
      const [plan, ...others] = world.books.all(ofConversation, id)
      if (!plan || others.length > 0) return
      const planId = textOf(plan.run_id)
      if (left) world.log.leftOut.push({ planId, number: Number(left) })
      if (content.includes('I stopped the plan') && !world.log.stopped.has(planId))
        world.log.stopped.set(planId, openedIn(world, planId))
    },
  })

const ofConversation = 'select p.run_id from plan p join run r on r.id = p.run_id where r.conversation_id = ?'

const openedIn = ({ books }: World, planId: string): Set<string> =>
  new Set(
    books
      .all('select j.id from plan_step s join job j on j.run_id = s.run_id where s.plan_id = ?', planId)
      .map(it => textOf(it.id)),
  )

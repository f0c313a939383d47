import { completeJob } from '../../../src/operations/gateway/completeJob.ts'
import { textOf } from './books.ts'
import { addressOf } from './chain/places.ts'
import { askForJob, type Providing } from './provider.ts'

const thief = addressOf('owner of no agent')

/**
 * Somebody else in the name of an agent that is served in strict mode: a process whose own registration was refused, say, which
 * knows only the handle. It must get no job and end none, and must not be told that there is one.
 */
export const stealJob = async ({ world, agent, random }: Providing): Promise<void> => {
  const { faults } = world.ground
  faults.note(78, 'act for a strict agent without its credential')
  const wallet = random.chance(0.5) ? thief : undefined
  const name = random.pick([agent.handle, `erc8004:${agent.handle}`, agent.id ?? agent.handle])
  const given = () => world.log.scandals.push(`I8 a job of ${agent.handle} was given to somebody without its credential`)
  await world.go(askForJob(world, { agent: name, timeout: 0 }, { wallet, given }))
  const [out] = world.books.all(`select id from job where agent_id = ? and state = 'leased' limit 1`, agent.id ?? '')
  if (!out || random.chance(0.5)) return
  const completion = world.ask({
    operation: completeJob,
    input: { job_id: textOf(out.id), result: { response: agent.theme.deliver('{}', 'stolen') } },
    wallet,
    heard(answer) {
      if ('value' in answer) world.log.scandals.push(`I8 job ${out.id} was completed by somebody without the credential`)
    },
  })
  await world.go(completion)
}

import { isFinal } from '../../domain/jobs/job.ts'
import type { Run, TurnTalk } from '../../ports.ts'
import type { Deps } from '../operation.ts'

/** The newest messages of a conversation that a model sees, its newest jobs, and the beginning of a deliverable. */
const shownMessages = 8
const shownJobs = 5
const shownChars = 1_000
/** Of a deliverable that the model asks for. */
const readChars = 4_000

/**
 * What a model sees of the conversation of a run besides the newest message.
 * @throws RangeError when the run does not exist
 */
export const readTalk = async ({ store }: Pick<Deps, 'store'>, runId: string, known?: Run): Promise<TurnTalk> => {
  const run = known ?? (await store.run(runId))
  if (!run) throw new RangeError(`no run ${runId}`)
  const [messages, jobs] = await Promise.all([
    store.messages(run.conversationId, run.user),
    store.jobsOfConversation(run.conversationId, run.user, shownJobs),
  ])
  const ended = jobs.find(it => isFinal(it.state) && it.deliverable)
  return {
    messages: messages
      .slice(-shownMessages - 1, -1)
      .map(it => ({ by: it.role === 'user' ? ('user' as const) : ('butler' as const), text: it.content.slice(0, shownChars) })),
    jobs: jobs.map(it => ({
      offering: it.terms.offeringName,
      agent: it.terms.agentHandle,
      state: it.state,
      price: it.terms.total,
      ...(isFinal(it.state) && it.deliverable && { deliverable: it.deliverable.slice(0, readChars) }),
    })),
    ...(ended?.deliverable && { deliverable: ended.deliverable.slice(0, shownChars) }),
  }
}

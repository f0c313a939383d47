import { type FileLink, splitFileLinks } from '../../domain/files/fileLinks.ts'
import { type GivenFile, givenFile } from '../../domain/files/namedFile.ts'
import { isFinal } from '../../domain/jobs/job.ts'
import type { FileRow, Run, TurnTalk } from '../../ports.ts'
import { findFile } from '../files/findFile.ts'
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

type Reach = Pick<Deps, 'store'>

/** Maximum number of messages and jobs of a conversation whose files are recalled. */
const mostRecalled = 20

const toGiven = ({ id, name, mediaType, bytes }: FileRow, member?: string): GivenFile =>
  givenFile.parse({ id, name, mediaType, bytes, member })

const findOrNone = (deps: Reach, id: string, wallet: FileRow['owner']) =>
  findFile(deps, id, { wallet }).catch((): undefined => undefined)

/** The files that a message of a run names and its user may read. Others are left out, as if they did not exist. */
export const readFiles = async (deps: Reach, runId: string, links: readonly FileLink[]): Promise<GivenFile[]> => {
  const run = await deps.store.run(runId)
  if (!run) return []
  const found = await Promise.all(
    links.map(async ({ id, member }) => {
      const file = await findOrNone(deps, id, run.user)
      return file ? [toGiven(file, member)] : []
    }),
  )
  return found.flat()
}

/** The files of the newest messages and results of a run's conversation that its user may read, newest first. */
export const recallFiles = async (deps: Reach, runId: string): Promise<GivenFile[]> => {
  const { store } = deps
  const run = await store.run(runId)
  if (!run) return []
  const [messages, jobs] = await Promise.all([
    store.messages(run.conversationId, run.user),
    store.jobsOfConversation(run.conversationId, run.user, mostRecalled),
  ])
  const delivered = await Promise.all(jobs.map(it => store.filesOfJob(it.id, 'deliverable')))
  const said = messages.slice(-mostRecalled).flatMap(it => (it.role === 'user' ? splitFileLinks(it.content).files : []))
  const ids = [...new Set([...delivered.flat().map(it => it.id), ...said.map(it => it.id)])].slice(-mostRecalled)
  const files = await Promise.all(ids.map(it => findOrNone(deps, it, run.user)))
  return files
    .flatMap(it => it ?? [])
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .map(it => toGiven(it))
}

import { type FileLink, splitFileLinks } from '../../domain/files/fileLinks.ts'
import { type GivenFile, givenFile } from '../../domain/files/namedFile.ts'
import type { FileRow } from '../../ports.ts'
import { findFile } from '../files/fileRecord.ts'
import type { Deps } from '../operation.ts'

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

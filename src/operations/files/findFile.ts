import { maySee } from '../../domain/jobs/fileAccess.ts'
import { Problem } from '../../domain/problem.ts'
import type { FileReader, FileRow } from '../../ports.ts'
import type { Deps } from '../operation.ts'

/**
 * A file that somebody may read: its owner, the agent that works on it, and the buyer of what an agent delivered.
 * @throws Problem file-not-found for everybody else, as if it did not exist
 */
export const findFile = async ({ store }: Pick<Deps, 'store'>, id: string, reader: FileReader): Promise<FileRow> => {
  const file = await store.file(id)
  if (file && reader.wallet !== undefined && file.owner === reader.wallet) return file
  const isKnown = reader.wallet !== undefined || reader.agentKey !== undefined
  if (file && isKnown && (await store.jobsOfFile(id, reader)).some(maySee)) return file
  throw new Problem('file-not-found')
}

import { splitFileLinks, withFileLinks } from '../../domain/files/fileLinks.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { findFile } from '../files/findFile.ts'
import type { Caller, Deps } from '../operation.ts'

/**
 * The text of a message with links to its files, so that whatever keeps the text keeps them.
 * @param ids files that the message names beside its text
 * @throws Problem file-not-found when the sender may not read one of them, invalid-input when there are too many
 */
export const withFilesOf = async (
  deps: Deps,
  { text, ids }: { text: string; ids: string[] },
  caller: Caller,
): Promise<string> => {
  const linked = splitFileLinks(text).files.map(it => it.id)
  const all = [...new Set([...linked, ...ids])]
  if (all.length > limits.filesOfJob)
    throw new Problem('invalid-input', `At most ${limits.filesOfJob} files fit one message.`, '/files')
  const files = await Promise.all(all.map(it => findFile(deps, it, caller)))
  return withFileLinks(
    text,
    files.filter(it => !linked.includes(it.id)),
  )
}

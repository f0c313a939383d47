import { buffer } from 'node:stream/consumers'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { namedFile } from '../domain/files/namedFile.ts'
import { limits } from '../domain/limits.ts'
import { ifProblem } from '../domain/problem.ts'
import { linkFile } from '../operations/files/fileLinks.ts'
import { type OpenFile, readFile } from '../operations/files/ownFiles.ts'
import type { Operation } from '../operations/operation.ts'

type Content = CallToolResult['content'][number]
type Reach = { call(operation: Operation, input: unknown): Promise<unknown> }

/** A run whose user may read its deliverable. */
const delivered = z.object({
  job: z.object({ deliverable_chars: z.number().min(1) }),
  verdict: z.object({ files: z.array(namedFile).max(limits.filesOfJob) }),
})

/**
 * The files of the deliverable in a tool's result, each as a link that works for five minutes. Small ones are embedded, as
 * base64: the words of a stranger are not to look like those of the tool.
 */
export const showFiles = async (view: unknown, { call }: Reach): Promise<Content[]> => {
  const { data } = delivered.safeParse(view)
  let left = limits.toolFileBytes
  const shown: Content[] = []
  for (const { member, file_id, name, media_type: mimeType, bytes: size } of data?.verdict.files ?? []) {
    const link = linkFile.output.safeParse(await call(linkFile, { file_id }).catch(ifProblem))
    if (!link.success) continue
    const uri = link.data.url
    const isSmall = size <= left
    if (isSmall) left -= size
    shown.push(
      isSmall
        ? { type: 'resource', resource: { uri, mimeType, blob: await readBase64(file_id, call) } }
        : { type: 'resource_link', uri, name, mimeType, size, description: `The file of ${member} in the deliverable` },
    )
  }
  return shown
}

const opened = z.custom<Pick<OpenFile, 'open'>>()

const readBase64 = async (file_id: string, call: Reach['call']): Promise<string> => {
  const { open } = opened.parse(await call(readFile, { file_id }))
  return (await buffer(open())).toString('base64')
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { holdAll } from '../conversations/people/hold.ts'
import { toReport } from '../conversations/people/report.ts'
import { startService } from '../conversations/people/service.ts'
import { summarise } from '../conversations/people/summary.ts'

/** The folder of the conversations: `data` itself, `people` in it or beside it. */
const findFolder = (data: string): URL | undefined => {
  const found = [data, join(data, 'people'), join(data, '..', 'people')].find(at => existsSync(join(at, 'conversations.jsonl')))
  return found === undefined ? undefined : pathToFileURL(`${found}/`)
}

type Asked = { data?: string | undefined; isShort: boolean; show(line: string): void }

/**
 * Holds conversations of people with a service that has the model of the environment, and shows the figures as `npm run people`
 * does. Without `data` the conversations are those of the project.
 */
export const holdPeople = async ({ data, isShort, show }: Asked): Promise<void> => {
  const folder = data === undefined ? undefined : findFolder(data)
  if (data !== undefined && !folder) throw new RangeError(`There are no conversations of people in ${data}.`)
  const { call, stop } = await startService()
  const turns = await holdAll(call, { folder }).finally(stop)
  if (!isShort) for (const line of toReport(turns)) show(line)
  show(JSON.stringify(summarise(turns)))
}

import type { Json, JsonObject } from '../../../../src/domain/json.ts'
import { type Agent, type AgentOffering, createAgent, type Work } from '../../../../src/kit/kit.ts'
import type { DemoOptions } from '../options.ts'

/** Files are read into memory here, so larger ones are refused. */
const mostBytes = 25 * 1024 * 1024

type Reach = Pick<Work, 'fields'> & {
  /** The bytes and the name of a file of the input. @throws Error whose message is for the buyer */
  file(member: string): Promise<{ bytes: Uint8Array; name: string }>
  /** Delivers a file; returns the id that the deliverable names. */
  give(bytes: Uint8Array, name: string): Promise<string>
}

type FileAgent = {
  handle: string
  name: string
  description: string
  offering: AgentOffering
  /** Works on the files. The message of an error is the reason that the buyer reads. */
  work(reach: Reach): Promise<JsonObject>
}

/** Creates an agent with one offering that works on files. */
export const fileAgent = (options: DemoOptions, { handle, name, description, offering, work }: FileAgent): Agent => {
  const { id, name: skill, tags = [] } = offering
  return createAgent({
    ...{ handle, name, description },
    skills: [{ id, name: skill, description, tags: [...tags] }],
    offerings: [offering],
    ...options,
    handler: ({ job, fields, upload }: Work): Promise<Json> => {
      const file = async (member: string) => {
        const given = job?.files[member]
        if (!given) throw new Error('I work on files. Hire me in the marketplace, and add one.')
        if (given.bytes > mostBytes) throw new Error(`${given.name} is too large: I take files of at most 25 MB.`)
        return { bytes: await given.read(), name: given.name }
      }
      return work({ fields, file, give: upload })
    },
  })
}

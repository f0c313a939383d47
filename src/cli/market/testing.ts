import type { Command } from 'commander'
import { z } from 'zod'
import { isObject, parseJson } from '../../domain/json.ts'
import { testRecord } from '../../records/testJob.ts'
import { agentNamed } from './agents.ts'
import { type Done, type Host, runs } from './command.ts'

const record = testRecord.catchall(z.json())
type TestRecord = z.infer<typeof record>

export const addTestCommand = (agent: Command, host: Host): void => {
  runs(
    agent
      .command('test')
      .argument('[offering]', 'id of an offering; the first one by default')
      .option('--agent <agent>', 'id or handle; your last one by default')
      .option('--input <json>', 'input of the test, as JSON or text; an example of the offering by default')
      .description('send your agent a test job, which costs nothing and counts nowhere'),
    host,
    {
      example: `market agent test count-words --input '{"text":"an old silent pond"}'`,
      run: async (context, options: { agent?: string; input?: string }, offering?: string): Promise<Done> => {
        const { client, say } = context
        const path = `/agents/${encodeURIComponent(agentNamed(context, options.agent))}/tests`
        const { input } = options
        const typed = input === undefined ? {} : { input: toTyped(input) }
        const sent = record.parse(await client.post(path, { ...(offering !== undefined && { offering_id: offering }), ...typed }))
        say(`Sent ${sent.offering_id}: ${sent.input}`)
        let now = sent
        while (isOpen(now)) now = record.parse(await client.get(`/v1/tests/${sent.test_id}?timeout=25`))
        describe(now).forEach(say)
        return { result: now, failed: now.state !== 'passed' }
      },
    },
  )
}

const isOpen = ({ state }: TestRecord) => state === 'queued' || state === 'leased'

/** An object is sent as JSON; any other text is sent unchanged. */
const toTyped = (text: string) => {
  const value = parseJson(text)
  return isObject(value) ? value : text
}

const describe = ({ state, picked_up_ms, answered_ms, checks, passes, ...it }: TestRecord): string[] => [
  ...(picked_up_ms === undefined ? [] : [`Picked up after ${picked_up_ms} ms.`]),
  ...(answered_ms === undefined ? [] : [`Answered after ${answered_ms} ms.`]),
  ...(state === 'expired' ? ['The agent did not answer in time. See: market agent doctor'] : []),
  ...(it.reason ? [`The agent failed: ${it.reason}`] : []),
  ...(it.deliverable === undefined ? [] : [it.deliverable]),
  ...checks.filter(check => check.outcome === 'fail').map(check => `FAILED  ${check.words}: ${check.evidence}`),
  ...(checks.length === 0 ? [] : [`Passes ${passes} of ${checks.length} checks.`]),
]

import type { Command } from 'commander'
import { z } from 'zod'
import { isObject, parseJson } from '../../domain/json.ts'
import { certificationRecord } from '../../records/certificate.ts'
import { testRecord } from '../../records/testJob.ts'
import { agentNamed } from './agents.ts'
import { type Context, type Done, type Host, runs } from './command.ts'

const record = testRecord.catchall(z.json())
type TestRecord = z.infer<typeof record>

export const addTestCommand = (agent: Command, host: Host): void => {
  const testCommand = agent
    .command('test')
    .argument('[offering]', 'id of an offering; the first one by default')
    .option('--agent <agent>', 'id or handle; your last one by default')
    .option('--input <json>', 'input of the test, as JSON or text; an example of the offering by default')
    .description('send your agent a test job, which costs nothing and counts nowhere')
  runs(testCommand, host, {
    example: `market agent test count-words --input '{"text":"an old silent pond"}'`,
    run: async (context, options: { agent?: string; input?: string }, offering?: string): Promise<Done> => {
      const { client, say } = context
      const path = `/agents/${encodeURIComponent(agentNamed(context, options.agent))}/tests`
      const { input } = options
      const typed = input === undefined ? {} : { input: toTyped(input) }
      const sent = record.parse(await client.post(path, { ...(offering !== undefined && { offering_id: offering }), ...typed }))
      say(`Sent ${sent.offering_id}: ${sent.input}`)
      const ended = await untilEnded(context, sent, record)
      describe(ended).forEach(say)
      return { result: ended, failed: ended.state !== 'passed' }
    },
  })
}

type State = Pick<TestRecord, 'test_id' | 'state'>

const untilEnded = async <Read extends State>({ client }: Context, sent: Read, shape: z.ZodType<Read>): Promise<Read> => {
  let now = sent
  while (now.state === 'queued' || now.state === 'leased')
    now = shape.parse(await client.get(`/v1/tests/${sent.test_id}?timeout=25`))
  return now
}

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

const certification = certificationRecord.catchall(z.json())
const testState = testRecord.pick({ test_id: true, state: true })

export const addCertifyCommand = (agent: Command, host: Host): void => {
  const certifyCommand = agent
    .command('certify')
    .argument('[offering]', 'id of an offering; the first one by default')
    .option('--agent <agent>', 'id or handle; your last one by default')
    .description('test an offering with about thirty test jobs, for a signed certificate; it costs nothing')
  runs(certifyCommand, host, {
    example: 'market agent certify count-words',
    run: async (context, options: { agent?: string }, offering?: string): Promise<Done> => {
      const { client } = context
      const path = `/agents/${encodeURIComponent(agentNamed(context, options.agent))}`
      const asked = offering === undefined ? {} : { offering_id: offering }
      const ask = async () => certification.parse(await client.post(`${path}/certificates`, asked))
      const { offering_id, cases } = await ask()
      for (const { name } of cases) {
        const sent = testState.parse(await client.post(`${path}/tests`, { offering_id, case: name }))
        await untilEnded(context, sent, testState)
      }
      const after = await ask()
      describeCases(after).forEach(context.say)
      return { result: after, failed: !after.certified }
    },
  })
}

const describeCases = ({ cases, findings, certificate, certified }: z.infer<typeof certification>): string[] => [
  ...cases.map(it => `${it.result.padEnd(9)} ${it.name}`),
  ...findings.map(it => `WRONG     ${it.check}: ${it.words}${it.remedy ? ` → ${it.remedy}` : ''}`),
  certified && certificate
    ? `Certified with ${certificate.cases} cases until ${certificate.expires_at}, or until the offering changes.`
    : 'Not certified: the example must pass before and after the other cases, and each of those must be answered in time.',
]

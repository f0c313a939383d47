import type { Command } from 'commander'
import { z } from 'zod'
import { certificationRecord } from '../../records/certificate.ts'
import { testRecord } from '../../records/testJob.ts'
import { agentNamed } from './agents.ts'
import { type Context, type Done, type Host, runs } from './command.ts'

const certification = certificationRecord.catchall(z.json())
const test = testRecord.pick({ test_id: true, state: true })

export const addCertifyCommand = (agent: Command, host: Host): void => {
  runs(
    agent
      .command('certify')
      .argument('[offering]', 'id of an offering; the first one by default')
      .option('--agent <agent>', 'id or handle; your last one by default')
      .description('test an offering with about thirty test jobs, for a signed certificate; it costs nothing'),
    host,
    {
      example: 'market agent certify count-words',
      run: async (context, options: { agent?: string }, offering?: string): Promise<Done> => {
        const path = `/agents/${encodeURIComponent(agentNamed(context, options.agent))}`
        const ask = async () =>
          certification.parse(
            await context.client.post(`${path}/certificates`, offering === undefined ? {} : { offering_id: offering }),
          )
        const before = await ask()
        for (const it of before.cases) await send(context, path, { offering_id: before.offering_id, case: it.name })
        const after = await ask()
        describe(after).forEach(context.say)
        return { result: after, failed: !after.certified }
      },
    },
  )
}

const send = async ({ client }: Context, path: string, body: { offering_id: string; case: string }) => {
  let now = test.parse(await client.post(`${path}/tests`, body))
  while (now.state === 'queued' || now.state === 'leased')
    now = test.parse(await client.get(`/v1/tests/${now.test_id}?timeout=25`))
}

const describe = ({ cases, findings, certificate, certified }: z.infer<typeof certification>): string[] => [
  ...cases.map(it => `${it.result.padEnd(9)} ${it.name}`),
  ...findings.map(it => `WRONG     ${it.check}: ${it.words}${it.remedy ? ` → ${it.remedy}` : ''}`),
  certified && certificate
    ? `Certified with ${certificate.cases} cases until ${certificate.expires_at}, or until the offering changes.`
    : 'Not certified: the example must pass before and after the other cases, and each of those must be answered in time.',
]

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { demoHandles } from '../../src/domain/agents/localAgents.ts'
import { talk } from '../hire/market.ts'
import type { TestService } from '../service.ts'
import { openMarket } from '../web/market.ts'

/** For each example: the message of a user that the documents give, and a pattern for its deliverable. */
const examples: Record<string, { say: string; delivers: RegExp }> = {
  'wordCount.ts': { say: 'Count the words of: the quick brown fox', delivers: /\b4 words/ },
}
const folder = new URL('../../docs/examples/', import.meta.url)

// The example competes with the demo agents, as on a reader's machine.
let market: TestService
beforeAll(async () => {
  market = await openMarket({}, demoHandles)
})
afterAll(() => market?.stop())

/** Runs an example as the documents say, with the token of its owner; resolves once it waits for jobs. */
const start = async (file: string, token: string) => {
  const main = new URL('../../src/main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main, 'agent', 'serve', new URL(file, folder).pathname, '--host', '127.0.0.1'], {
    env: { ...process.env, SERVICE_ENDPOINT: market.url, SERVICE_PROXY_AUTH: token, XDG_CONFIG_HOME: market.dir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) if (line.includes('Waiting for jobs')) return child
  throw new Error(`${file} ended before it waited for jobs.`)
}

test('every example of the documentation is run by this test, with the message that its reader is told to send', async () => {
  expect(Object.keys(examples)).toEqual(readdirSync(folder).filter(it => it.endsWith('.ts')))
  const guide = await readFile(new URL('../getting-started.md', folder), 'utf8')
  for (const { say } of Object.values(examples)) expect(guide).toContain(`"${say}"`)
})

const mine = z.array(z.object({ handle: z.string(), stats: z.object({ total_revenue: z.number() }) }))

test.each(Object.entries(examples))(
  'the agent of %s is hired, delivers, and earns for the user who runs it',
  async (file, { say, delivers }) => {
    const user = await market.user('reader')
    const child = await start(file, user.token)
    try {
      const chat = talk(user)
      expect(await chat.say(say)).toMatchObject({ data: { state: 'awaiting-confirmation' } })
      const { data: run, content } = await chat.say('yes', 20_000)
      expect(run.job?.state).toBe('settled')
      expect(content).toMatch(delivers)
      expect(mine.parse(await user.client.get('/my-agents'))).toEqual([{ handle: 'word-count', stats: { total_revenue: 0.01 } }])
    } finally {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    }
  },
)
